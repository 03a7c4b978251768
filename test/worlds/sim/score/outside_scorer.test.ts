import { join } from 'node:path';
import t from 'tap';
import { type Sky, TrackingScore } from '../../../../src/worlds/sim/score/tracking_score.ts';
import { scoredOutside, shownIn, trackedByCore, truthOf, whatScoringLacks } from '../../../support/outside_scorer.ts';

const scenarios = ['n50', 'crossing', 'swarm100', 'sudden_turns', 'popup', 'dropout15'];
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
        ours.look(
          skyOf(at(atS)),
          sky,
          nobody,
          sky.ids.map(() => false),
          atS,
        );
      }
      const same = (a: number | null, b: number | null, what: string): void =>
        void t.ok(Math.abs((a ?? -1) - (b ?? -1)) <= 1e-6 * Math.max(1e-9, Math.abs(b ?? 1)), `${what}: ${a} and ${b}`);
      same(ours.gospaM, theirs.gospa, 'GOSPA');
      same(ours.ospaM, theirs.ospa, 'OSPA');
      same(ours.positionRmseM, theirs.rmse3, 'position error');
      same(ours.missedALook, theirs.missed_per_scan, 'missed');
      same(ours.falseALook, theirs.false_per_scan, 'false');
      t.equal(ours.completeness, theirs.siap.C);
      t.equal(ours.idSwitches, theirs.mot.idsw);
      t.equal(ours.firstDetectS, theirs.init.median);
    },
  );
}
