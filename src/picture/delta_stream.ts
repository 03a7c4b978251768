import { Listeners } from '../model/listeners.ts';
import type { PictureEvent } from './events.ts';
import type { PictureState } from './picture.ts';
import { ReplayWindow } from './replay_window.ts';

/** Minimum number of remembered flushes: 24 s at fifty a second. */
const MOST = 1_200;

/** Ages of outdated pictures, by their sequence numbers. */
export class SeqAges {
  /** Last number and time of each flush, in order. */
  #given: { seq: number; ms: number }[] = [];

  /** Notes that numbers up to `seq` were published now. */
  add(seq: number, nowMs: number): void {
    if ((this.#given.at(-1)?.seq ?? 0) >= seq) return;
    this.#given.push({ seq, ms: nowMs });
    if (this.#given.length > 2 * MOST) this.#given = this.#given.slice(-MOST);
  }

  /**
   * Time since the first event after `seq` was published; 0 where there is none. Null for a number that was not
   * published yet, and for one that is too old.
   */
  ageMs(seq: number, lastSeq: number, nowMs: number): number | null {
    if (seq > lastSeq) return null;
    if (seq === lastSeq) return 0;
    const next = this.#given.findIndex((given) => given.seq > seq);
    const found = this.#given[next];
    // Numbers before the first remembered one may be forgotten.
    if (!found || (next === 0 && this.#given.length >= MOST)) return null;
    return nowMs - found.ms;
  }
}

/** Changes of a picture, numbered and published once a tick. The last ones are kept as long as a client may request them. */
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

  /** The events after `seq`; null where they are of another epoch or no longer kept. */
  since(epoch: string, seq: number): readonly PictureEvent[] | null {
    this.flush();
    return epoch === this.#picture.epoch ? this.#window.since(seq, this.#picture.seq) : null;
  }

  /** Time since the picture with this number became outdated, ms; null where it is unknown, or of another epoch. */
  ageMs(seq: number, epoch: string | null): number | null {
    if (epoch !== null && epoch !== this.#picture.epoch) return null;
    return this.#ages.ageMs(seq, this.#picture.seq, this.#nowMs());
  }

  /** Called before a client takes a snapshot from which it may continue. */
  begin(): void {
    this.#picture.watch();
    this.flush();
    this.#window.know(this.#picture.seq);
  }

  /** Like `onFlush`, for a client that may come back later for missed events. */
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
   * Numbers and publishes the due events. A listener that requests a snapshot meanwhile does not start a second flush:
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

  /** Plans the next flush for the time at which an event is due. */
  #plan(): void {
    this.#ticks.plan(() => this.#picture.dueMs());
  }

  stop(): void {
    this.#ticks.stop();
  }
}

/**
 * Times of flushes: at once after a pause, then once a tick. So the first change is not delayed, and many changes cost
 * one write a tick.
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
   * Plans the next flush. `due` returns the time at which an event is due (a past time means now), or null for none. It
   * is not called where the next flush cannot be earlier anyway, because it walks over all changes.
   */
  plan(due: () => number | null): void {
    if (this.#stopped) return;
    const nowMs = this.#nowMs();
    const soonestMs = Math.max(this.#flushedMs + this.#tickMs, nowMs);
    if (this.#planned && this.#planned.atMs <= soonestMs) return;
    const dueMs = due();
    if (dueMs === null) return;
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
