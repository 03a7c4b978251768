import { setTimeout as delay } from 'node:timers/promises';
import type { CaptureFrame } from './capture.ts';

/** Time for the player: milliseconds that only rise, and a sleep that an abort ends early without throwing. */
export type PlayClock = {
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
};

/** Timers take no more than 2^31 ms; the player asks again. */
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
  /** 1 is the capture's own pace, 4 four times as fast, 'max' as fast as the sink takes it. */
  rate: number | 'max';
  clock: PlayClock;
  /** Pace of frames without times, before `rate`; asked for once, when the first frame is there. */
  untimedHz: () => number;
  onProgress?: (played: Played) => void;
  signal?: AbortSignal | undefined;
};

export type Played = { frames: number; bytes: number; stopped: boolean };

/** A clock that goes back further than this has been set anew (or files were joined); less is frames out of order. */
const REORDER_MS = 60_000;

/**
 * Sends frames at the times of their capture. Each is due against the start of the replay, so lateness never adds up, and a
 * late frame goes at once. The next frame waits until the sink has taken the one before. An abort ends the replay between frames
 * or inside a wait; what `send` rejects with is thrown.
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

/** Turns the times of a capture into milliseconds since its first frame. */
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

/** Waits for a send, but not past an abort: a sink that is blocked must not keep a person waiting. */
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
