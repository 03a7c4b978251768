import type { PictureEvent, PictureState } from '../picture/picture.ts';
import { ReplayWindow } from '../picture/replay_window.ts';
import { SeqAges } from '../picture/seq_ages.ts';
import { TickScheduler } from './tick.ts';

/** The changes of a picture, numbered once a tick and told to those who listen; the last of them are kept for who comes back, where somebody may. */
export class DeltaStream {
  readonly #picture: PictureState;
  readonly #window: ReplayWindow;
  readonly #ticks: TickScheduler;
  readonly #ages = new SeqAges();
  readonly #nowMs: () => number;
  readonly #listeners = new Set<(events: readonly PictureEvent[]) => void>();
  #followers = 0;
  #flushing = false;

  constructor(picture: PictureState, settings: { tickMs: number; replayEvents: number }, nowMs: () => number) {
    this.#picture = picture;
    this.#nowMs = nowMs;
    this.#window = new ReplayWindow(settings.replayEvents);
    this.#ticks = new TickScheduler(settings.tickMs, nowMs, () => this.flush());
  }

  /** The events after `seq`, or null where they are of another epoch or no longer kept. */
  since(epoch: string, seq: number): readonly PictureEvent[] | null {
    this.flush();
    return epoch === this.#picture.epoch ? this.#window.since(seq, this.#picture.seq) : null;
  }

  /** For how long a picture of this number shows no longer what holds; null where that is not known, or of another epoch. */
  ageMs(seq: number, epoch: string | null): number | null {
    if (epoch !== null && epoch !== this.#picture.epoch) return null;
    return this.#ages.ageMs(seq, this.#picture.seq, this.#nowMs());
  }

  /** Somebody takes the whole picture and may go on from there; call before it is taken. */
  begin(): void {
    this.#picture.watch();
    this.flush();
    this.#window.know(this.#picture.seq);
  }

  /** As `onFlush`; who leaves may come back for what he misses. */
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
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Numbers and tells what is due. A listener that asks for a snapshot while it is being told begins no other round:
   * the rest of the listeners would hear the later numbers first.
   */
  flush(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    try {
      const events = this.#picture.flush();
      if (this.#followers > 0) this.#window.know(this.#picture.seq);
      this.#window.add(events);
      if (events.length > 0) this.#ages.add(this.#picture.seq, this.#nowMs());
      if (events.length > 0) for (const listener of this.#listeners) listener(events);
    } finally {
      this.#flushing = false;
    }
    this.plan();
  }

  /** Sees to it that what has changed is told when it is due. */
  plan(): void {
    this.#ticks.plan(() => this.#picture.dueMs());
  }

  stop(): void {
    this.#ticks.stop();
  }
}
