import { setTimeout as delay } from 'node:timers/promises';
import type { CaptureFrame } from './capture.ts';

/** Clock of the player: monotonic time in ms, and a sleep. An abort ends the sleep early, without an error. */
export type PlayClock = {
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
};

/** Longest single sleep, ms, because Node's timers are limited to 2^31 ms. The player then sleeps again. */
const LONGEST_SLEEP_MS = 3_600_000;

export const realClock: PlayClock = {
  nowMs: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(Math.min(ms, LONGEST_SLEEP_MS), undefined, signal === undefined ? {} : { signal });
    } catch (thrown) {
      if (!signal?.aborted) throw thrown;
    }
  },
};

export type PlayOptions = {
  /** Speed: 1 is the pace of the capture, 4 is four times as fast, 'max' is as fast as `send` takes frames. */
  rate: number | 'max';
  clock: PlayClock;
  /** Returns the rate of frames without times at `rate` 1, Hz. It is called once, with the first frame. */
  untimedHz: () => number;
  onProgress?: (played: Played) => void;
  signal?: AbortSignal | undefined;
};

export type Played = { frames: number; bytes: number; stopped: boolean };

/**
 * Greatest backward step of a capture's times, ms, that counts as frames out of order. A greater step shows that the
 * clock was set or files were joined.
 */
const REORDER_MS = 60_000;

/**
 * Sends frames at the times of their capture. The due time of a frame counts from the start of the replay, so delays do
 * not add up; a late frame is sent at once. A frame is sent after `send` has resolved for the frame before. An abort
 * ends the replay at once; a frame that is just being sent is not counted. An error of `send` is thrown.
 */
export async function playCapture(
  frames: AsyncIterable<CaptureFrame>,
  send: (bytes: Uint8Array) => Promise<void>,
  options: PlayOptions,
): Promise<Played> {
  const { clock, signal, rate } = options;
  let timeline: Timeline | null = null;
  const played: Played = { frames: 0, bytes: 0, stopped: false };
  const startMs = clock.nowMs();
  for await (const frame of frames) {
    timeline ??= new Timeline(1000 / options.untimedHz());
    const offsetMs = timeline.offsetOf(frame.atMs);
    if (rate !== 'max') await waitUntil(startMs + offsetMs / rate, clock, signal);
    if (!signal?.aborted) await unlessAborted(send(frame.bytes), signal);
    if (signal?.aborted) {
      played.stopped = true;
      break;
    }
    played.frames++;
    played.bytes += frame.bytes.length;
    options.onProgress?.(played);
  }
  return played;
}

/** Converts the times of a capture to the time since its first frame, ms. Frames without times get equal intervals. */
class Timeline {
  readonly #stepMs: number;
  #offsetMs: number | null = null;
  #lastMs: number | null = null;

  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  offsetOf(atMs: number | null): number {
    if (atMs === null) this.#offsetMs = this.#offsetMs === null ? 0 : this.#offsetMs + this.#stepMs;
    else this.#offsetMs = (this.#offsetMs ?? 0) + this.#stepTo(atMs);
    return this.#offsetMs;
  }

  #stepTo(atMs: number): number {
    const stepMs = this.#lastMs === null ? 0 : atMs - this.#lastMs;
    if (stepMs >= 0 || this.#lastMs === null || stepMs < -REORDER_MS) this.#lastMs = atMs;
    return Math.max(0, stepMs);
  }
}

async function waitUntil(dueMs: number, clock: PlayClock, signal: AbortSignal | undefined): Promise<void> {
  for (let waitMs = dueMs - clock.nowMs(); waitMs > 0 && !signal?.aborted; waitMs = dueMs - clock.nowMs()) {
    await clock.sleep(waitMs, signal);
  }
}

/** Waits for a send or an abort, whichever comes first, so that a blocked target does not delay the end. */
async function unlessAborted(sent: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return sent;
  let release = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    release = resolve;
    signal.addEventListener('abort', release, { once: true });
  });
  try {
    await Promise.race([sent, aborted]);
  } finally {
    signal.removeEventListener('abort', release);
    // A failure after the abort has no caller to report to.
    if (signal.aborted) sent.catch(() => {});
  }
}
