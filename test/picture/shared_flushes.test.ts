import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { DeltaStream } from '../../src/picture/delta_stream.ts';
import { PackedCore } from '../support/core/core.ts';
import { mac, positionAt } from '../support/core/observation.ts';
import { pictureAt } from '../support/core/picture_at.ts';

const TRACKS = 200;
const FLUSH_EVERY_MS = 10;

/** Two hundred aircraft whose reports arrive in the same moment, ten times a second. */
function fly(flushEveryMs = FLUSH_EVERY_MS) {
  const clock = { ms: 1_700_000_000_000 };
  const picture = pictureAt(clock);
  const core = new PackedCore({ maxTracks: TRACKS });
  const reports = (northM: number) =>
    Array.from({ length: TRACKS }, (_, n) =>
      positionAt(clock.ms, northM, n * 500, { identities: [mac(`m${n}`)], altHaeM: 100 }),
    );
  const flush = () => picture.flush().filter(({ kind }) => kind === 'track_update');
  return {
    picture,
    /** Returns the tracks of each flush of `seconds`. */
    during(seconds: number): string[][] {
      const flushes: string[][] = [];
      for (let ms = 0; ms < seconds * 1_000; ms += FLUSH_EVERY_MS) {
        clock.ms += FLUSH_EVERY_MS;
        if (ms % 100 === 0) picture.apply(core.step(reports(clock.ms / 1_000 - 1_700_000_000), clock.ms));
        if (ms % flushEveryMs === 0) flushes.push(flush().map(({ object }) => object));
      }
      return flushes;
    },
    flush,
  };
}

t.test(
  'updates that were due together are published in flushes of their own, each track four times a second',
  async (t) => {
    const { during } = fly();
    during(1);
    const flushes = during(4);
    const sizes = flushes.map(({ length }) => length);
    t.ok(Math.max(...sizes) <= 48, `at most ${Math.max(...sizes)} updates in a flush`);
    const counts = new Map<string, number>();
    for (const id of flushes.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
    t.equal(counts.size, TRACKS);
    t.ok(
      [...counts.values()].every((count) => count === 16 || count === 15),
      `${[...new Set(counts.values())]} updates of a track in 4 s`,
    );
  },
);

t.test('what a person changes is published in the next flush, however many tracks it concerns', async (t) => {
  const { picture, during, flush } = fly();
  during(1);
  const ids = picture.tracks().map(({ id }) => id);
  const set = {
    affiliation: 'hostile',
    reason: 'seen',
    by: 'anna',
    at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
  } as const;
  for (const id of ids) picture.byHand.set(id, set);
  const published = flush();
  t.same(new Set(published.map(({ object }) => object)), new Set(ids));
});

t.test('updates that a flush leaves follow by the timer alone', async (t) => {
  const clock = {
    get ms(): number {
      return Date.now();
    },
  };
  const picture = pictureAt(clock);
  const stream = new DeltaStream(picture, { tickMs: 5, replayEvents: 10 }, Date.now);
  t.teardown(() => stream.stop());
  const core = new PackedCore({ maxTracks: TRACKS });
  const seen = new Map<string, unknown>();
  stream.onFlush((events) => {
    for (const { object, body } of events) seen.set(object, (body as { position?: unknown }).position);
  });
  for (let step = 0; step < 3; step++) {
    const nowMs = clock.ms + step;
    const reports = Array.from({ length: TRACKS }, (_, n) =>
      positionAt(nowMs, step * 10, n * 500, { identities: [mac(`m${n}`)] }),
    );
    picture.apply(core.step(reports, nowMs));
    if (step === 0) stream.flush();
  }
  while (picture.dueMs() !== null) await turn();
  t.same(seen, new Map(picture.snapshot().tracks.map(({ id, position }) => [id, position])));
});

t.test('a slow tick and a high rate keep the rate of every track', async (t) => {
  for (const [tickMs, hz] of [
    [250, 4],
    [1_000, 1],
  ] as const) {
    const { during } = fly(tickMs);
    during(2);
    const counts = new Map<string, number>();
    for (const id of during(8).flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
    const least = Math.min(...counts.values());
    t.ok(counts.size === TRACKS && least >= 8 * hz - 1, `tick of ${tickMs} ms: at least ${least} updates in 8 s`);
  }
});
