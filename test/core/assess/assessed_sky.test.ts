import fc from 'fast-check';
import t from 'tap';
import { firstPolicy } from '../../../src/core/assess/configuration.ts';
import { Core } from '../../../src/core/core.ts';
import type { SitePlan } from '../../../src/core/site/site_plan.ts';
import type { Assessment } from '../../../src/model/assessment.ts';
import type { Dossier } from '../../../src/model/observation_row.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { latLonOf, placeAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { zoneOf } from '../../support/core/zone_site.ts';
import { RowWriter } from '../../support/sky/row_writer.ts';

onlyInFull(t);

const ORIGIN = { lat: 47.2, lon: 8.73 };
const settings = { confirmHits: 2, confirmWindowS: 10, coastS: 5, lostS: 22, closeS: 60, maxTracks: 100 };

type Flight = { from: readonly [bearing: number, metres: number]; course: number; speed: number; altHaeM: number };
type Place = { bearing: number; metres: number; radius: number };

const flights = fc.array(
  fc.record({
    from: fc.tuple(fc.double({ min: 0, max: 360, noNaN: true }), fc.double({ min: 0, max: 5_000, noNaN: true })),
    course: fc.double({ min: 0, max: 360, noNaN: true }),
    speed: fc.double({ min: 0, max: 40, noNaN: true }),
    altHaeM: fc.double({ min: 460, max: 900, noNaN: true }),
  }),
  { minLength: 1, maxLength: 8 },
);
const places = fc.array(
  fc.record({
    bearing: fc.double({ min: 0, max: 360, noNaN: true }),
    metres: fc.double({ min: 0, max: 4_000, noNaN: true }),
    radius: fc.double({ min: 50, max: 1_500, noNaN: true }),
  }),
  { minLength: 1, maxLength: 6 },
);

const mast = { id: 'mast', name: 'mast', ...latLonOf(ORIGIN), priority: 5, groundAltHaeM: 450 };
const kinds = ['protected', 'warning', 'alert', 'ignore'] as const;

function planOf(of: readonly Place[]): SitePlan {
  const zones = of.map(({ bearing, metres, radius }, i) => {
    const { lat, lon } = placeAt(ORIGIN, bearing, metres);
    const geometry = { type: 'Point' as const, coordinates: [lon, lat] as [number, number], radius_m: radius };
    return zoneOf({ id: `zone-${i}`, kind: kinds[i % kinds.length] ?? 'protected', geometry });
  });
  return { zones, assets: [mast] };
}

/** Everything that the core finds in 20 s of such a sky. */
function assess(sky: readonly Flight[], plan: SitePlan, startS: number): Assessment[] {
  const core = new Core(settings, new Uint8Array(8).fill(7), 0);
  core.setSensors([{ index: 1, id: 'ear', cooperative: true, placement: null, seeing: null }]);
  core.assessor.setPolicy(firstPolicy);
  core.assessor.setSite({ plan, listens: true, utcOffsetMs: 0 });
  const dossiers: Dossier[] = sky.map((_, index) => ({
    index,
    identities: [{ type: 'serial', value: `1581F5FKD229400000${10 + index}`, transport: 'other' }],
    classification: [],
    operator: null,
    takeoff: null,
    status: null,
  }));
  const found: Assessment[] = [core.step({ rows: new Float64Array(0), dossiers }, startS * 1_000).assessment];
  for (let second = 1; second <= 20; second++) {
    const writer = new RowWriter(sky.length, second * 100);
    const timeS = startS + second;
    sky.forEach(({ from, course, speed, altHaeM }, claim) => {
      const begin = placeAt(ORIGIN, from[0], from[1]);
      const { lat, lon } = placeAt(begin, course, speed * second);
      const way = (course * Math.PI) / 180;
      const velocity = [speed * Math.sin(way), speed * Math.cos(way), 0] as const;
      writer.fix({ timeS, receivedS: timeS }, claim, { latDeg: lat, lonDeg: lon, altHaeM }, velocity);
    });
    found.push(core.step({ rows: writer.rows, dossiers: [] }, timeS * 1_000).assessment);
  }
  return found;
}

/** Without the times themselves. */
function timeless(found: readonly Assessment[], startS: number): unknown {
  const since = (ms: number): number => Math.round(ms - startS * 1_000);
  return found.map(({ threats, zoneEvents, cleared }) => ({
    threats: threats.map(({ firstMs, score, level, trackId, factors }) => ({
      first: since(firstMs),
      score: score.toFixed(3),
      level,
      trackId,
      factors: factors.map(({ id }) => id).sort(),
    })),
    zoneEvents: zoneEvents.map(({ zoneId, trackId, transition, atMs }) => [zoneId, trackId, transition, since(atMs)]),
    cleared,
  }));
}

t.test('the same sky gives the same bytes', async (t) => {
  const property = fc.property(flights, places, (sky, of) => {
    const [one, other] = [1, 2].map(() => JSON.stringify(assess(sky, planOf(of), 1_000)));
    return one === other;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(40) }));
});

t.test('at another hour the same sky is the same threat', async (t) => {
  const property = fc.property(flights, places, fc.integer({ min: 1, max: 100_000 }), (sky, of, laterS) => {
    const now = timeless(assess(sky, planOf(of), 1_000), 1_000);
    const later = timeless(assess(sky, planOf(of), 1_000 + laterS), 1_000 + laterS);
    return JSON.stringify(now) === JSON.stringify(later);
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(40) }));
});

t.test('the order in which zones are told changes no threat', async (t) => {
  const property = fc.property(flights, places, (sky, of) => {
    const plan = planOf(of);
    const turned = { ...plan, zones: [...plan.zones].reverse() };
    const threats = (found: Assessment[]): string => JSON.stringify(found.map((step) => step.threats));
    return threats(assess(sky, plan, 1_000)) === threats(assess(sky, turned, 1_000));
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(40) }));
});

t.test('every score is the sum of what its factors contribute, within 0 and 100', async (t) => {
  const property = fc.property(flights, places, (sky, of) =>
    assess(sky, planOf(of), 1_000).every(({ threats }) =>
      threats.every(({ score, factors }) => {
        const sum = factors.reduce((all, { contribution }) => all + contribution, 0);
        return (
          Math.abs(Math.min(100, Math.max(0, sum)) - score) < 1e-6 && factors.every(({ text }) => text.endsWith('.'))
        );
      }),
    ),
  );
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(40) }));
});

t.test('what a threat says of how far it is holds, whatever its score does', async (t) => {
  const fence = { bearing: 0, metres: 0, radius: 300 };
  for (const speed of [5, 15, 30]) {
    const sky = [{ from: [90, 3_000], course: 270, speed, altHaeM: 500 } as const];
    let toldM = Number.NaN;
    assess(sky, planOf([fence]), 1_000).forEach(({ threats }, second) => {
      toldM = threats[0]?.nearest_zone?.distance_m ?? toldM;
      if (second < 4) return;
      const trueM = 3_000 - 300 - speed * second;
      const slackM = Math.max(5, 0.1 * trueM) + 2 * speed + 15;
      t.ok(Math.abs(toldM - trueM) < slackM, `${toldM.toFixed(0)} m are told of ${trueM} at ${speed} m/s`);
    });
  }
});
