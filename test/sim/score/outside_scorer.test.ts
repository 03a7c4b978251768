import { join } from 'node:path';
import t from 'tap';
import { LocalFrame } from '../../../src/geo/local_frame.ts';
import { type Sky, TrackingScore } from '../../../src/sim/score/tracking_score.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { scoredOutside, shownIn, trackedByCore, truthOf, whatScoringLacks } from '../../support/references/scorer.ts';
import { beginMs, keeperOf, scenarioOf, trackAt } from '../../support/sim/scored.ts';

onlyInFull(t);

const scenarios = ['crossing', 'swarm100', 'sudden_turns', 'popup'];
const nobody: Sky = { ids: [], spots: new Float64Array() };

type Placed = { id: string | number; e: number; n: number; u: number };

function skyOf(lines: readonly Placed[]): Sky {
  return {
    ids: lines.map(({ id }) => String(id)),
    spots: Float64Array.from(lines.flatMap(({ e, n, u }) => [e, n, u])),
  };
}

const lacks = await whatScoringLacks();

for (const name of scenarios) {
  t.test(
    `the tracks of the core over ${name} score as a scorer of others says`,
    { skip: lacks ?? false },
    async (t) => {
      const folder = t.testdir();
      const tracks = join(folder, 'tracks.jsonl');
      await trackedByCore(name, tracks);
      const theirs = await scoredOutside(name, tracks, join(folder, 'answer.json'));
      const { times, at } = await truthOf(name);
      const shown = shownIn(tracks);
      const ours = new TrackingScore();
      for (const atS of times) {
        const sky = skyOf(shown(atS));
        ours.evaluate(
          skyOf(at(atS)),
          sky,
          nobody,
          sky.ids.map(() => false),
          atS,
        );
      }
      const same = (a: number | null, b: number | null, what: string): void =>
        void t.ok(Math.abs((a ?? -1) - (b ?? -1)) <= 1e-9 * Math.max(1e-9, Math.abs(b ?? 1)), `${what}: ${a} and ${b}`);
      const metrics = ours.metrics();
      same(metrics.gospa_m, theirs.gospa, 'GOSPA');
      same(metrics.ospa_m, theirs.ospa, 'OSPA');
      same(metrics.position_rmse_m, theirs.rmse3, 'position error');
      same(ours.missedALook, theirs.missed_per_scan, 'missed');
      same(ours.falseALook, theirs.false_per_scan, 'false');
      t.equal(metrics.completeness, theirs.siap.C);
      t.equal(metrics.id_switches, theirs.mot.idsw);
      t.equal(metrics.first_detect_s, theirs.init.median);
    },
  );
}

t.test(
  'the keeper of a run, told documents of tracks and places on the earth, says the same',
  { skip: lacks ?? false },
  async (t) => {
    const folder = t.testdir();
    const tracks = join(folder, 'tracks.jsonl');
    await trackedByCore('n200', tracks);
    const theirs = await scoredOutside('n200', tracks, join(folder, 'answer.json'));
    const { times, origin, at } = await truthOf('n200');
    const shown = shownIn(tracks);
    const frame = new LocalFrame(origin.lat, origin.lon, origin.alt_hae);
    const scenario = scenarioOf({ origin: { lat: origin.lat, lon: origin.lon, alt_hae_m: origin.alt_hae } });
    const keeper = keeperOf(scenario);
    const still = { eastMps: 0, northMps: 0, upMps: 0, airborne: true, visible: true, kind: 'drone' } as const;
    let tookMs = 0;
    for (const atS of times) {
      const atMs = beginMs + atS * 1000;
      const truth = at(atS).map(({ id, lat, lon, alt }) => ({ id, latDeg: lat, lonDeg: lon, altHaeM: alt, ...still }));
      const documents = shown(atS).map(({ id, e, n, u }) => {
        const { latDeg: lat, lonDeg: lon, altHaeM } = frame.toGeodetic(e, n, u);
        const track = trackAt(String(id), atMs, [0, 0, 0]);
        return { ...track, position: track.position && { ...track.position, lat, lon, alt_hae_m: altHaeM } };
      });
      const fromMs = performance.now();
      keeper.evaluate({ atMs, truth, tracks: documents, threats: [] });
      tookMs += performance.now() - fromMs;
    }
    const { metrics } = keeper.result();
    const near = (a: number | null, b: number | null): boolean =>
      Math.abs((a ?? -1) - (b ?? -1)) < 1e-5 * Math.abs(b ?? 1);
    t.ok(near(metrics.gospa_m, theirs.gospa), `${metrics.gospa_m} and ${theirs.gospa}`);
    t.ok(near(metrics.ospa_m, theirs.ospa));
    t.ok(near(metrics.position_rmse_m, theirs.rmse3));
    t.ok(near(metrics.completeness, theirs.siap.C));
    t.equal(metrics.id_switches, theirs.mot.idsw);
    t.comment(`${(tookMs / times.length).toFixed(2)} ms a look at 200 aircraft`);
  },
);
