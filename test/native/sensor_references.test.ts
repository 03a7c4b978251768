import t from 'tap';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized, timesOf } from '../support/basics/size.ts';
import { agree, type Case, listsApart } from '../support/references/agree.ts';
import { ecefOf, enuOf, type Geodetic, turnOf } from '../support/references/earth.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import { packed } from '../support/references/gaussian.ts';
import {
  formCodes,
  forms,
  immNumbers,
  immOf,
  immsApart,
  type Measurement,
  updatedImm,
} from '../support/references/imm.ts';
import { Inputs } from '../support/references/inputs.ts';
import { at, diagonal, listed } from '../support/references/matrix.ts';
import { nativeProbe, type Request } from '../support/references/probe.ts';
import {
  depthInCover,
  placeOfPolar,
  polarOf,
  type Sensor,
  sightGradients,
  spreadOfPolar,
  wrapped,
} from '../support/references/sensor.ts';
import { trackerSettings } from '../support/references/settings.ts';

const sensors = sized(50);
const looksEach = timesOf({ usual: 12, full: 30 });
const tracker = trackerSettings();
/** m: two ways through coordinates of 6·10⁶ m, there and back. */
const placeM = 2e-8;

t.test('native sensors see the earth as plain geometry does', { timeout: LONG_MS }, async (t) => {
  const probe = await nativeProbe();
  const make = new Inputs(randomFrom(seedOf(t)));
  const around = (s: Sensor): number[] => placeOfPolar(s, somewhere(make));
  const ofEach = (one: (s: Sensor) => Case): Case[] =>
    make
      .list(sensors, () => make.sensor())
      .flatMap((s) => [{ ...set(s), apart: () => 0 }, ...make.list(looksEach, () => one(s))]);

  t.test('places in the axes of a site, and back', async (t) => {
    const cases = make.list(timesOf({ usual: 500, full: 3_000 }), (): Case => {
      const { site } = make.sensor();
      const place = [site[0] + make.between(-9, 9), make.between(-180, 180), make.between(-500, 20_000)] as const;
      return {
        request: ['to_site', ...site, ...place],
        apart: ([e, n, u, ...back]) =>
          Math.max(
            listsApart([e, n, u] as number[], enuOf(site, place), 1),
            listsApart(ecefOf(back as unknown as Geodetic), ecefOf(place), 1),
          ),
      };
    });
    await agree(t, probe, cases, placeM);
  });

  t.test('where a sensor stands and how it is turned', (t) =>
    agree(
      t,
      probe,
      make.list(timesOf({ usual: 200, full: 500 }), () => set(make.sensor())),
      placeM,
    ),
  );

  t.test('where a place lies from a sensor and how that changes', async (t) => {
    const cases = ofEach((s) => {
      const p = around(s);
      return {
        request: ['sight', ...p],
        apart: ([azimuth, elevation, range, ...gradients]) => {
          const [a, e, r] = polarOf(s, p) as [number, number, number];
          const angles = [wrapped((azimuth ?? Number.NaN) - a), (elevation ?? Number.NaN) - e];
          const level = Math.cos(e);
          const slopes = sightGradients(s, p).map((row, i) =>
            row.map((v) => v * (i === 0 ? r * level : i === 1 ? r : 1)),
          );
          const told = gradients.map((v, i) => v * (i < 3 ? r * level : i < 6 ? r : 1));
          return Math.max(
            listsApart(angles, [0, 0], 1) * level,
            listsApart([range ?? Number.NaN], [r]),
            listsApart(told, listed(slopes), 1),
          );
        },
      };
    });
    // Gradients of differences over five points: good to some 10⁻⁹ of themselves.
    await agree(t, probe, cases, 1e-8);
  });

  t.test('what a sensor covers', async (t) => {
    const cases = ofEach((s) => {
      const [p, sigma] = [around(s), make.spread(0.1, 300)];
      const depth = depthInCover(s, p, sigma);
      return {
        request: ['covers', ...p, sigma],
        apart: ([covered]) => (Math.abs(depth) > placeM && covered !== (depth > 0 ? 1 : 0) ? 1 : 0),
      };
    });
    await agree(t, probe, cases, 0);
  });

  t.test('plots as places with their covariance', async (t) => {
    const cases = ofEach((s) => {
      const z = somewhere(make);
      const [r, level] = [at(z, 2), Math.cos(at(z, 1))];
      const variance = [make.spread(1e-4, 0.2) ** 2, make.spread(1e-4, 0.2) ** 2, make.spread(0.1, 1000) ** 2];
      const least = [0.01 / (r * level) ** 2, 0.01 / r ** 2, 0];
      const spread = packed(
        spreadOfPolar(
          s,
          z,
          variance.map((v, i) => Math.max(v, at(least, i))),
        ),
      );
      const most = Math.max(...spread.map(Math.abs));
      const told: Measurement = { form: 'place', z, r: diagonal(variance), v: [0, 0, 0], rv: undefined };
      return {
        request: ['polar', ...measured(told)],
        apart: (answer) =>
          Math.max(listsApart(answer.slice(0, 3), placeOfPolar(s, z), 1), listsApart(answer.slice(3), spread, most)),
      };
    });
    await agree(t, probe, cases, 1e-8);
  });

  for (const form of forms)
    t.test(`two models that learn a ${form}`, async (t) => {
      const cases = ofEach((s) => learns(make, s, form));
      // Where angles are taken in, the gradients of the reference are numeric.
      await agree(t, probe, cases, form === 'place' || form === 'fix' ? 1e-9 : 1e-6);
    });
});

/** Azimuth and elevation in rad, range in m; hardly ever overhead. */
const somewhere = (make: Inputs): number[] => [make.between(-4, 4), make.between(-0.8, 1.2), make.spread(150, 40_000)];

function set(s: Sensor): Case {
  const nan = Number.NaN;
  const cover = [...s.rangeM, s.azimuthDeg, s.widthDeg, ...s.elevationDeg];
  const request: Request = ['sensor', ...s.site, ...s.place, nan, nan, ...cover, nan, nan, nan, nan, nan, 0, 1, 1, 1];
  return {
    request,
    apart: (answer) =>
      Math.max(
        listsApart(answer.slice(0, 3), enuOf(s.site, s.place), 1),
        listsApart(answer.slice(3), listed(turnOf(s.site, s.place)), 1),
      ),
  };
}

function measured(m: Measurement): number[] {
  return [formCodes[m.form], ...m.z, ...packed(m.r), ...m.v, ...(m.rv ? packed(m.rv) : [0, 0, 0, 0, 0, 0])];
}

/** A measurement some deviations beside where two models believe the aircraft to be. */
function learns(make: Inputs, s: Sensor, form: Measurement['form']): Case {
  const polar = [make.between(-4, 4), make.between(-0.5, 0.8), make.spread(1000, 40_000)];
  const p = placeOfPolar(s, polar);
  const imm = make.imm(p);
  const tilt = (sd: number): number => make.between(-2, 2) * sd;
  const sds = [make.spread(2e-3, 0.05), make.spread(2e-3, 0.05), make.spread(2, 100)];
  const isPlace = form === 'place' || form === 'fix';
  const assumed = (form === 'plane' || form === 'bearing') && make.between(0, 1) < 0.5 ? 40_000 : 0;
  const seen = polar.map((v, i) => v + tilt(at(sds, i)));
  const flat = diagonal(sds.map((v) => v * v)).map((row, i) => row.map((v, j) => (i + j === 1 ? assumed : v)));
  const m: Measurement = {
    form,
    z: isPlace ? p.map((v) => v + tilt(60)) : assumed > 0 ? [at(seen, 0), 100, at(seen, 2)] : seen,
    r: isPlace ? make.covariance(3, () => make.spread(1, 100)) : flat,
    v: make.vector(60),
    rv: form === 'fix' && make.between(0, 1) < 0.7 ? make.covariance(3, () => make.spread(0.3, 10)) : undefined,
  };
  return {
    request: ['update_imm', ...measured(m), ...immNumbers(imm)],
    apart: (answer) => {
      if (at(answer, 0) !== 1) return Number.POSITIVE_INFINITY;
      return immsApart(immOf(answer.slice(1)), updatedImm(imm, m, s, tracker));
    },
  };
}
