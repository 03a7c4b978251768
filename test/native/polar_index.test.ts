import t from 'tap';
import { onlyInFull } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { agree, type Case } from '../support/references/agree.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import { packed } from '../support/references/gaussian.ts';
import { Inputs } from '../support/references/inputs.ts';
import { at, cell, column, listed, type Matrix, plus, solved, times } from '../support/references/matrix.ts';
import { nativeProbe, type Request } from '../support/references/probe.ts';
import { placeOfPolar, type Sensor, spreadOfPolar } from '../support/references/sensor.ts';

onlyInFull(t);

const gate = 21;
const looks = 160;
/** Every other look has so many plots. The others have one to eight, so vague that a track may lie a right angle away: cells
 * are quarters of the turn then. */
const plotsMost = 300;
const plotsFew = 8;
const tracksEach = 60;
/** Of a plot as of a track: where it is believed to be, and how vaguely. */
type Place = { at: readonly number[]; spread: Matrix };

t.test('tracks find the plots of a look by range and azimuth', { timeout: LONG_MS }, async (t) => {
  const probe = await nativeProbe();
  const make = new Inputs(randomFrom(seedOf(t)));

  t.test('none that lies within the gate is missed, and none is told twice', async (t) => {
    const cases = make.list(looks, (look) => {
      const s = make.sensor();
      const many = look % 2 === 0;
      const count = many ? plotsMost : 1 + ((look >> 1) % plotsFew);
      const most = make.spread(300, 40_000);
      const [least, angle] = many ? [0, make.spread(1e-3, 0.3)] : [0.9 * most, make.between(0.17, 0.22)];
      const [tilt, vague] = [make.between(0, many ? 1.2 : 0.2), make.spread(0.5, 300)];
      const plots = make.list(count, () => plotOf(make, s, make.between(least, most), angle, tilt));
      const tracks = make.list(tracksEach, (i) => trackBeside(make, plots[i % count] as Place, vague));
      return [
        placed(s),
        { request: asked(plots, tracks), apart: (told: readonly number[]) => missed(plots, tracks, told) },
      ];
    });
    await agree(t, probe, cases.flat(), 0);
  });

  t.test('far off, few others are looked at', async (t) => {
    const s = make.sensor();
    const plots = make.list(1000, () => plotOf(make, s, make.between(5000, 20_000), 0.01, 0.2));
    const tracks = plots.slice(0, 100).map((plot) => trackBeside(make, plot, 20));
    const share = (told: readonly number[]): number => (told.length - tracks.length) / (tracks.length * plots.length);
    await agree(t, probe, [placed(s), { request: asked(plots, tracks), apart: share }], 0.02);
  });

  t.test('a few high up, which are vague in range, hardly make more be looked at', async (t) => {
    const s = make.sensor();
    const low = make.list(4000, () => plotOf(make, s, make.between(5000, 20_000), 0.01, 0));
    const high = make.list(8, () => plotOf(make, s, make.between(5000, 20_000), 0.01, 1.2));
    const tracks = low.slice(0, 100).map((plot) => trackBeside(make, plot, 20));
    const [, alone = [], beside = []] = await probe([
      placed(s).request,
      asked(low, tracks),
      asked([...low, ...high], tracks),
    ]);
    const times = (beside.length - tracks.length) / (alone.length - tracks.length);
    t.ok(times < 1.6, `${times} times as many are looked at`);
  });
});

const covered = [0, 10_000, 0, 360, -90, 90];
function placed(s: Sensor): Case {
  const nan = Number.NaN;
  const request: Request = ['sensor', ...s.site, ...s.place, nan, nan, ...covered, nan, nan, nan, nan, nan, 0, 1, 1, 1];
  return { request, apart: () => 0 };
}

/** A plot that a radar tells, whose azimuth is good to `angle` rad, at most so high over the horizon. */
function plotOf(make: Inputs, s: Sensor, range: number, angle: number, tilt: number): Place {
  const z = [make.between(-Math.PI, Math.PI), make.between(-0.1, tilt), Math.max(1, range)];
  const variance = [angle, angle * make.between(0.5, 2), make.between(2, 5)].map((sd) => sd * sd);
  return { at: placeOfPolar(s, z), spread: spreadOfPolar(s, z, variance) };
}

/** A track that has the plot at the edge of its gate, on the side where that is farthest in some direction. */
function trackBeside(make: Inputs, plot: Place, vague: number): Place {
  const spread = make.covariance(3, () => vague * make.between(0.5, 2));
  const way = make.direction();
  const reach = listed(times(plus(spread, plot.spread), column(way)));
  const scale = Math.sqrt((make.between(0.98, 1.001) * gate) / reach.reduce((sum, v, i) => sum + v * at(way, i), 0));
  return { at: plot.at.map((v, i) => v + scale * at(reach, i)), spread };
}

function isGated(a: Place, b: Place): boolean {
  const [y, spread] = [a.at.map((v, i) => v - at(b.at, i)), plus(a.spread, b.spread)];
  const most = cell(spread, 0, 0) + cell(spread, 1, 1) + cell(spread, 2, 2);
  // Most lie far beyond the longest axis that the gate could have.
  if (y.reduce((sum, v) => sum + v * v, 0) > 2 * gate * most) return false;
  return cell(times([y], solved(spread).inverse, column(y)), 0, 0) <= gate;
}

function asked(plots: readonly Place[], tracks: readonly Place[]): Request {
  const numbers = (places: readonly Place[]) => places.flatMap((p) => [...p.at, ...packed(p.spread)]);
  return ['polar_index', gate, plots.length, ...numbers(plots), tracks.length, ...numbers(tracks)];
}

/** How many pairs within the gate were not told, and how many were told again. */
function missed(plots: readonly Place[], tracks: readonly Place[], told: readonly number[]): number {
  let [wrong, next] = [0, 0];
  for (const track of tracks) {
    const list = told.slice(next + 1, next + 1 + at(told, next));
    next += 1 + list.length;
    const found = new Set(list);
    wrong += list.length - found.size;
    wrong += plots.filter((plot, i) => !found.has(i) && isGated(plot, track)).length;
  }
  return wrong + told.length - next;
}
