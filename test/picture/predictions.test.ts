import t from 'tap';
import { PackedCore } from '../support/core/core.ts';
import { mac, positionAt } from '../support/core/observation.ts';
import { pictureAt } from '../support/core/picture_at.ts';

t.test('predictions of a track are published once a second, and the snapshot shows what was published', async (t) => {
  const clock = { ms: 1_700_000_000_000 };
  const picture = pictureAt(clock);
  const core = new PackedCore({ maxTracks: 6 });
  let held: unknown = null;
  const sentAtMs: number[] = [];
  let updates = 0;
  for (let step = 0; step < 40; step++) {
    clock.ms += 250;
    picture.apply(core.step([positionAt(clock.ms, step, 0, { identities: [mac('m')] })], clock.ms));
    for (const { kind, body } of picture.flush()) {
      if (kind !== 'track_update' && kind !== 'track_new') continue;
      updates++;
      if (body.predicted === undefined) continue;
      if (kind === 'track_update') sentAtMs.push(clock.ms);
      held = structuredClone(body.predicted);
    }
    t.same(picture.snapshot().tracks[0]?.predicted, held, 'a client that applies every event holds the same');
  }
  t.ok(updates > 30, `${updates} updates`);
  t.ok(sentAtMs.length >= 8, `${sentAtMs.length} with predictions`);
  for (const [at, ms] of sentAtMs.entries()) if (at > 0) t.ok(ms - (sentAtMs[at - 1] ?? 0) >= 1_000);
});

t.test(
  'an update that goes early with a flush of others keeps the rate of its track, and its predictions',
  async (t) => {
    const clock = { ms: 1_700_000_000_000 };
    const picture = pictureAt(clock);
    const core = new PackedCore({ maxTracks: 6 });
    const updatedAtMs: number[] = [];
    const predictedAtMs: number[] = [];
    for (let step = 0; step < 2_000; step++) {
      clock.ms += 7;
      picture.apply(core.step([positionAt(clock.ms, step * 0.028, 0, { identities: [mac('m')] })], clock.ms));
      for (const { kind, body } of picture.flush()) {
        if (kind !== 'track_update') continue;
        updatedAtMs.push(clock.ms);
        if (body.predicted) predictedAtMs.push(clock.ms);
      }
    }
    const gaps = (at: number[]): number[] => at.slice(1).map((ms, i) => ms - (at[i] ?? 0));
    const inAll = (clock.ms - (updatedAtMs[0] ?? 0)) / 250;
    t.ok(
      updatedAtMs.length <= inAll + 2 && updatedAtMs.length > inAll - 2,
      `${updatedAtMs.length} of ${inAll} updates`,
    );
    t.ok(
      gaps(updatedAtMs).some((ms) => ms < 250),
      'some go early',
    );
    t.ok(gaps(updatedAtMs).every((ms) => ms >= 240));
    t.ok(
      gaps(predictedAtMs).every((ms) => ms >= 985 && ms <= 1_015),
      `each second: ${[...new Set(gaps(predictedAtMs))]}`,
    );
  },
);
