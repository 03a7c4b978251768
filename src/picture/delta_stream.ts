import { Listeners } from '../model/listeners.ts';
import type { PictureEvent, PictureState } from './picture.ts';
import { ReplayWindow } from './replay_window.ts';
import { SeqAges } from './seq_ages.ts';
import { TickScheduler } from './tick.ts';

/** Changes of a picture, numbered and published once a tick. The last ones are kept while a client may come back for them. */
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

  /** The events after `seq`, or null where they are of another epoch or no longer kept. */
  since(epoch: string, seq: number): readonly PictureEvent[] | null {
    this.flush();
    return epoch === this.#picture.epoch ? this.#window.since(seq, this.#picture.seq) : null;
  }

  /** Time since a picture of this number is outdated; null where unknown, or of another epoch. */
  ageMs(seq: number, epoch: string | null): number | null {
    if (epoch !== null && epoch !== this.#picture.epoch) return null;
    return this.#ages.ageMs(seq, this.#picture.seq, this.#nowMs());
  }

  /** To be called before a client takes a snapshot from which it may go on. */
  begin(): void {
    this.#picture.watch();
    this.flush();
    this.#window.know(this.#picture.seq);
  }

  /** As `onFlush`; a client that leaves may come back for missed events. */
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
   * Numbers and publishes the events that are due. A listener that asks for a snapshot meanwhile starts no second round: the
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

  /** Plans the next flush for when an event is due. */
  #plan(): void {
    this.#ticks.plan(() => this.#picture.dueMs());
  }

  stop(): void {
    this.#ticks.stop();
  }
}
