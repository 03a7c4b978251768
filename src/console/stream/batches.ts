import { coalesce } from './coalesce.ts';
import type { Received } from './messages.ts';

/** Minimum interval between two batches to the page, ms. */
export const BATCH_MS = 100;

/**
 * Collects events for the page. A batch is posted once the page has taken all earlier ones. A slow page thus gets
 * fewer and merged batches, instead of a growing queue of old positions. Snapshots and alerts do not wait.
 */
export class Batches {
  readonly #post: (events: Received[]) => void;
  #events: Received[] = [];
  #isUrgent = false;
  /** Batches that the page has not taken yet. */
  #untaken = 0;
  #pauseMs = BATCH_MS;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(post: (events: Received[]) => void) {
    this.#post = post;
  }

  add(event: Received): void {
    this.#events.push(event);
    this.#isUrgent ||= event.kind === 'snapshot' || event.kind.includes('alert');
  }

  /**
   * Posts or schedules a batch; called after the events of one read. Alerts that came together are one batch, since
   * each batch draws the lists anew.
   */
  offer(): void {
    if (this.#isUrgent) this.flush();
    else if (this.#events.length > 0 && this.#untaken === 0)
      this.#timer ??= setTimeout(() => this.flush(), this.#pauseMs);
  }

  /**
   * The page has taken the oldest batch, in `tookMs`. The next batch waits at least `tookMs`. However slow the machine
   * is, half of the page's time is thus left for the operator's input and the map.
   */
  taken(tookMs: number): void {
    if (this.#untaken > 0) this.#untaken--;
    this.#pauseMs = Math.max(BATCH_MS, tookMs);
    this.offer();
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#events.length === 0) return;
    const events = coalesce(this.#events);
    this.#events = [];
    this.#isUrgent = false;
    this.#untaken++;
    this.#post(events);
  }
}
