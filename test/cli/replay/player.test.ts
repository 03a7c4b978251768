import t from 'tap';
import type { CaptureFrame } from '../../../src/cli/replay/capture.ts';
import { type PlayClock, type PlayOptions, playCapture } from '../../../src/cli/replay/player.ts';

/** A clock that stands still but for sleeps and what a test adds. */
function handClock(): PlayClock & { add(ms: number): void } {
  let now = 1000;
  return {
    nowMs: () => now,
    add: (ms) => {
      now += ms;
    },
    async sleep(ms) {
      now += ms;
    },
  };
}

async function* frames(times: readonly (number | null)[]): AsyncGenerator<CaptureFrame> {
  for (const atMs of times) yield { atMs, bytes: Uint8Array.of(1, 2, 3) };
}

type Options = Partial<Omit<PlayOptions, 'clock'>> & { sendMs?: number };

/** Plays frames of the given times and answers when each was sent, in milliseconds from the start. */
async function sentAt(times: readonly (number | null)[], options: Options = {}): Promise<number[]> {
  const clock = handClock();
  const startMs = clock.nowMs();
  const sent: number[] = [];
  const send = async (): Promise<void> => {
    sent.push(clock.nowMs() - startMs);
    clock.add(options.sendMs ?? 0);
  };
  await playCapture(frames(times), send, { rate: 1, untimedHz: () => 10, clock, ...options });
  return sent;
}

t.test('frames go at their times, from the first', async (t) => {
  t.same(await sentAt([5000, 5100, 5100, 6500]), [0, 100, 100, 1500]);
  t.same(await sentAt([5000, 5100, 6500], { rate: 4 }), [0, 25, 375]);
  t.same(await sentAt([5000, 5100, 6500], { rate: 0.5 }), [0, 200, 3000]);
});

t.test('slow sends do not add up to drift, and a late frame goes at once', async (t) => {
  const times = Array.from({ length: 1000 }, (_, i) => i * 10);
  t.same(await sentAt(times, { sendMs: 7 }), times);
  t.same(await sentAt([0, 10, 20, 30, 100], { sendMs: 25 }), [0, 25, 50, 75, 100]);
});

t.test('frames without times go at a steady pace, between others too', async (t) => {
  t.same(await sentAt([null, null, null]), [0, 100, 200]);
  t.same(await sentAt([null, null], { untimedHz: () => 50, rate: 2 }), [0, 10]);
  t.same(await sentAt([null, 500, 700, null, 800]), [0, 0, 200, 300, 400]);
});

t.test('frames out of order go at once, and a clock set back does not stop the replay', async (t) => {
  t.same(await sentAt([1000, 1200, 1100, 1300]), [0, 200, 200, 300]);
  t.same(await sentAt([10_000_000, 10_000_100, 5000, 5100]), [0, 100, 100, 200]);
});

t.test('max waits for the sink and nothing else', async (t) => {
  const clock = handClock();
  let inFlight = 0;
  let most = 0;
  const send = async (): Promise<void> => {
    most = Math.max(most, ++inFlight);
    await new Promise(setImmediate);
    inFlight--;
  };
  const played = await playCapture(frames([0, 1e6, 2e6]), send, { rate: 'max', clock, untimedHz: () => 10 });
  t.same(played, { frames: 3, bytes: 9, stopped: false });
  t.equal(most, 1, 'one frame at a time');
  t.equal(clock.nowMs(), 1000, 'the clock was never waited for');
});

t.test('progress is told after every frame', async (t) => {
  const seen: number[] = [];
  await sentAt([0, 1, 2], { onProgress: (played) => seen.push(played.frames) });
  t.same(seen, [1, 2, 3]);
});

t.test('an abort ends a wait, and a send that the sink never takes', async (t) => {
  const waiting = new AbortController();
  const clock: PlayClock = {
    nowMs: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve());
        waiting.abort();
      }),
  };
  const options = { rate: 1, untimedHz: () => 10 } as const;
  const inWait = await playCapture(frames([0, 1000]), async () => {}, { ...options, clock, signal: waiting.signal });
  t.same(inWait, { frames: 1, bytes: 3, stopped: true });

  const blocked = new AbortController();
  const never = (): Promise<void> => {
    setImmediate(() => blocked.abort());
    return new Promise(() => {});
  };
  const inSend = await playCapture(frames([0]), never, { ...options, clock: handClock(), signal: blocked.signal });
  t.same(inSend, { frames: 0, bytes: 0, stopped: true });
});

t.test('a sink that fails ends the replay with its own fault', async (t) => {
  const failing = playCapture(frames([0]), () => Promise.reject(new Error('cable cut')), {
    rate: 1,
    clock: handClock(),
    untimedHz: () => 10,
  });
  await t.rejects(failing, { message: 'cable cut' });
});
