import { Listeners } from '../model/listeners.ts';
import type { PictureEvent } from './events.ts';
import type { PictureState } from './picture.ts';
import { ReplayWindow } from './replay_window.ts';

/**
 * Length to which the list of flushes (publications of due changes) is cut once it is twice as long. It covers 24 s at
 * 100 flushes a second.
 */
const MOST = 2_400;

/** Times at which sequence numbers were published, to compute the age of a picture. */
export class SeqAges {
  /** Last sequence number and time of each flush, in order. */
  #given: { seq: number; ms: number }[] = [];

  /** Records that all numbers up to `seq` are published at `nowMs`. */
  add(seq: number, nowMs: number): void {
    if ((this.#given.at(-1)?.seq ?? 0) >= seq) return;
    this.#given.push({ seq, ms: nowMs });
    if (this.#given.length > 2 * MOST) this.#given = this.#given.slice(-MOST);
  }

  /**
   * Age of the picture with number `seq`, ms: the time since the publication of the event that follows `seq`. 0 if
   * `seq` is the last number; null if `seq` is not published yet, or is too old.
   */
  ageMs(seq: number, lastSeq: number, nowMs: number): number | null {
    if (seq > lastSeq) return null;
    if (seq === lastSeq) return 0;
    const next = this.#given.findIndex((given) => given.seq > seq);
    const found = this.#given[next];
    // If the list may have been cut, numbers before its first entry are unknown.
    if (!found || (next === 0 && this.#given.length >= MOST)) return null;
    return nowMs - found.ms;
  }
}

/**
 * Numbers the changes of a picture and publishes them once a tick. Recent events are kept while a client may request
 * them.
 */
export class DeltaStream {
  readonly #picture: PictureState;
  readonly #window: ReplayWindow;
  readonly #ticks: TickScheduler;
  readonly #ages = new SeqAges();
  readonly #nowMs: () => number;
  readonly #listeners = new Listeners<[readonly PictureEvent[]]>();
  #followers = 0;
  #flushing = false;

  constructor(picture: PictureState, settings: { tickMs: number; replayEvents: number }, nowMs: () => number) {
    this.#picture = picture;
    this.#nowMs = nowMs;
    this.#window = new ReplayWindow(settings.replayEvents);
    this.#ticks = new TickScheduler(settings.tickMs, nowMs, () => this.flush());
    picture.due.add((when) => (when === 'now' ? this.flush() : this.#plan()));
  }

  /** Returns the events after `seq`; null if `seq` belongs to another epoch, or the events are no longer kept. */
  since(epoch: string, seq: number): readonly PictureEvent[] | null {
    this.flush();
    return epoch === this.#picture.epoch ? this.#window.since(seq, this.#picture.seq) : null;
  }

  /**
   * Time since a newer picture replaced the one with this number, ms; 0 if none did. Null if the number is unknown or
   * of another epoch.
   */
  ageMs(seq: number, epoch: string | null): number | null {
    if (epoch !== null && epoch !== this.#picture.epoch) return null;
    return this.#ages.ageMs(seq, this.#picture.seq, this.#nowMs());
  }

  /** Prepares for a client that takes a snapshot and may request later events. Call it before the snapshot. */
  begin(): void {
    this.#picture.watch();
    this.flush();
    this.#window.know(this.#picture.seq);
  }

  /** Like `onFlush`, for a client that may later request events that it missed. */
  follow(listener: (events: readonly PictureEvent[]) => void): () => void {
    this.#followers++;
    const leave = this.onFlush(listener);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
      this.#followers--;
      this.#window.know(this.#picture.seq);
    };
  }

  onFlush(listener: (events: readonly PictureEvent[]) => void): () => void {
    this.#picture.watch();
    return this.#listeners.add(listener);
  }

  /**
   * Numbers and publishes the due events. If a listener requests a snapshot during a flush, no second flush starts:
   * other listeners would receive later numbers first.
   */
  flush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      const events = this.#picture.flush();
      if (this.#followers > 0) this.#window.know(this.#picture.seq);
      this.#window.add(events);
      if (events.length > 0) this.#ages.add(this.#picture.seq, this.#nowMs());
      if (events.length > 0) this.#listeners.emit(events);
    } finally {
      this.#flushing = false;
    }
    this.#plan();
  }

  #plan(): void {
    this.#ticks.plan(this.#picture.dueMs());
  }

  stop(): void {
    this.#ticks.stop();
  }
}

/**
 * Schedules flushes: at most one a tick, and the first one after a longer pause at once. The first change is thus not
 * delayed, and many changes cost one write a tick.
 */
class TickScheduler {
  readonly #tickMs: number;
  readonly #nowMs: () => number;
  readonly #flush: () => void;
  #flushedMs = Number.NEGATIVE_INFINITY;
  #planned: { timer: NodeJS.Timeout | NodeJS.Immediate; atMs: number } | null = null;
  #stopped = false;

  constructor(tickMs: number, nowMs: () => number, flush: () => void) {
    this.#tickMs = tickMs;
    this.#nowMs = nowMs;
    this.#flush = flush;
  }

  /**
   * Schedules the next flush. `dueMs` is the time at which the next event is due, or null for none; a past time means
   * now.
   */
  plan(dueMs: number | null): void {
    if (this.#stopped || dueMs === null) return;
    const nowMs = this.#nowMs();
    const soonestMs = Math.max(this.#flushedMs + this.#tickMs, nowMs);
    const atMs = Math.max(dueMs, soonestMs);
    if (this.#planned && this.#planned.atMs <= atMs) return;
    this.#cancel();
    const run = (): void => {
      this.#planned = null;
      this.#flushedMs = this.#nowMs();
      this.#flush();
    };
    const waitMs = atMs - nowMs;
    this.#planned = { timer: waitMs < 1 ? setImmediate(run) : setTimeout(run, Math.ceil(waitMs)), atMs };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #cancel(): void {
    if (!this.#planned) return;
    clearTimeout(this.#planned.timer as NodeJS.Timeout);
    clearImmediate(this.#planned.timer as NodeJS.Immediate);
    this.#planned = null;
  }
}
