import { alertSeverities } from '../../model/zone.ts';
import type { State } from '../../store/state.ts';
import type { DeliveryRow, DeliveryRows } from '../../store/webhooks.ts';
import { nextOf } from './retry.ts';
import type { Letter, Outcome, Sender } from './send.ts';

type Fresh = Omit<DeliveryRow, 'number'>;

/** Limit of the deliveries that wait for one webhook. */
const MOST_WAITING = 1_000;

/** Waiting deliveries of one webhook, in the order in which they are sent. */
class Queue {
  #rows: DeliveryRow[];
  /** Monotonic time at which the first delivery of the queue is due, ms. */
  dueMs: number;
  busy = false;
  /**
   * True if people were notified of failing deliveries, and no delivery has succeeded since. After a start, true if the
   * first delivery has failed before.
   */
  failing = false;
  /** Number of deliveries dropped because of the limit, since the start. */
  dropped = 0;

  constructor(rows: DeliveryRow[], dueOf: (row: DeliveryRow) => number) {
    this.#rows = rows;
    const [head] = rows;
    this.dueMs = head ? dueOf(head) : 0;
    this.failing = (head?.attempts ?? 0) > 0;
  }

  get size(): number {
    return this.#rows.length;
  }

  get head(): DeliveryRow | undefined {
    return this.#rows[0];
  }

  /**
   * Decides which waiting deliveries to drop and which new deliveries to keep, so that the queue stays within its
   * limit. The least severe are dropped first, and among these the oldest.
   */
  judge(fresh: readonly Fresh[]): { kept: readonly Fresh[]; dropped: readonly DeliveryRow[] } {
    let tooMany = this.#rows.length + fresh.length - MOST_WAITING;
    if (tooMany <= 0) return { kept: fresh, dropped: [] };
    // The first delivery may be in transmission, so it is never dropped.
    const waiting = this.#rows.slice(1);
    const gone = new Set<Fresh>();
    for (const severity of alertSeverities) {
      for (const row of [...waiting, ...fresh]) {
        if (tooMany === 0) break;
        if (row.severity !== severity) continue;
        gone.add(row);
        tooMany--;
      }
    }
    return { kept: fresh.filter((row) => !gone.has(row)), dropped: waiting.filter((row) => gone.has(row)) };
  }

  /** Applies a decision of `judge`. Call this after the decision was written to the disk. */
  take(kept: readonly DeliveryRow[], dropped: readonly DeliveryRow[], refused: number, dueMs: number): void {
    if (dropped.length > 0) {
      const gone = new Set(dropped.map(({ number }) => number));
      this.#rows = this.#rows.filter(({ number }) => !gone.has(number));
    }
    this.dropped += dropped.length + refused;
    if (this.#rows.length === 0) this.dueMs = dueMs;
    this.#rows.push(...kept);
  }

  /** Delays the first delivery, with its row changed to `row`, until `dueMs` (monotonic). */
  wait(row: DeliveryRow, dueMs: number): void {
    this.#rows[0] = row;
    this.dueMs = dueMs;
  }

  /** Removes the first delivery. The next delivery is due at once. */
  shift(nowMs: number): void {
    this.#rows.shift();
    this.dueMs = nowMs;
  }

  empty(): DeliveryRow[] {
    const left = this.#rows;
    this.#rows = [];
    return left;
  }
}

export type CourierDeps = {
  state: State;
  rows: DeliveryRows;
  /** Monotonic time, ms: a step of the wall clock must not change delays. */
  nowMs(): number;
  utcMs(): number;
  random(): number;
  send: Sender;
  /**
   * Returns the request for a delivery; a sentence if it cannot be made; null if the webhook is disabled or deleted.
   */
  letter(row: DeliveryRow): Letter | string | null;
  /** Called when the endpoint of a webhook answers that it no longer exists (HTTP 410). */
  gone(webhookId: string): void;
  /**
   * Called when deliveries to a webhook fail (`error` is a sentence; see `ALERTED_AFTER`), and when one succeeds again
   * (`error` is null).
   */
  health(webhookId: string, error: string | null): void;
  trouble(sentence: unknown): void;
};

/** Limit of the finished deliveries that are kept for a webhook. */
export const MOST_LOGGED = 1_000;
/**
 * Number of failed attempts of one delivery after which people are notified, or earlier if the delivery is given up.
 */
const ALERTED_AFTER = 5;

/**
 * Sends deliveries to their webhooks. The deliveries of one webhook are sent in order and one at a time. Due deliveries
 * are on the disk, so a restart continues with them. Outcomes are written in batches. After a crash a delivery may
 * therefore arrive twice, with the same id; a crash loses no delivery that `write` put on the disk.
 */
export class Courier {
  readonly #deps: CourierDeps;
  readonly #queues = new Map<string, Queue>();
  #finished: DeliveryRow[] = [];
  #stopped = false;

  constructor(deps: CourierDeps) {
    this.#deps = deps;
  }

  /** Begins to serve a webhook, starting with the due deliveries of an earlier run. */
  open(webhookId: string): void {
    const { rows, nowMs, utcMs } = this.#deps;
    const [now, utc] = [nowMs(), utcMs()];
    const waits = (row: DeliveryRow): number => Math.min(600_000, Math.max(0, (row.nextMs ?? utc) - utc));
    this.#queues.set(webhookId, new Queue(rows.due(webhookId), (row) => now + waits(row)));
  }

  close(webhookId: string): void {
    this.#queues.delete(webhookId);
    this.#finished = this.#finished.filter((row) => row.webhookId !== webhookId);
  }

  waiting(webhookId: string): number {
    return this.#queues.get(webhookId)?.size ?? 0;
  }

  dropped(webhookId: string): number {
    return this.#queues.get(webhookId)?.dropped ?? 0;
  }

  /** Writes new deliveries. Call it within a database write, and call the returned function after the commit. */
  write(webhookId: string, fresh: readonly Omit<DeliveryRow, 'number'>[]): () => void {
    const queue = this.#queues.get(webhookId);
    if (!queue) return () => {};
    const { rows } = this.#deps;
    const { kept, dropped } = queue.judge(fresh);
    const dueMs = this.#deps.nowMs();
    for (const row of dropped) rows.update({ ...row, status: 'dropped', nextMs: null });
    const numbered = kept.map((row) => ({ ...row, number: rows.insert(row) }));
    return () => queue.take(numbered, dropped, fresh.length - kept.length, dueMs);
  }

  /** Records a finished delivery that was sent without a queue. */
  log(row: Omit<DeliveryRow, 'number'>): void {
    this.#deps.state.write('The delivery', () => {
      this.#deps.rows.insert(row);
      this.#deps.rows.prune(row.webhookId, MOST_LOGGED);
    });
  }

  /**
   * Sends due deliveries and records their outcomes. Call this a few times per second. Resolves when each delivery that
   * this call sent has an outcome.
   */
  async pump(): Promise<void> {
    this.flush();
    if (this.#stopped) return;
    await Promise.all([...this.#queues].map(([webhookId, queue]) => this.#serve(webhookId, queue)));
  }

  /** Writes the outcomes of deliveries to the disk. After a disk failure, the next call tries again. */
  flush(): void {
    const done = this.#finished;
    if (done.length === 0) return;
    try {
      this.#deps.state.write('The deliveries', () => {
        for (const row of done) this.#deps.rows.update(row);
        for (const id of new Set(done.map(({ webhookId }) => webhookId))) this.#deps.rows.prune(id, MOST_LOGGED);
      });
      this.#finished = [];
    } catch (thrown) {
      this.#deps.trouble(thrown);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.flush();
  }

  async #serve(webhookId: string, queue: Queue): Promise<void> {
    if (queue.busy) return;
    queue.busy = true;
    try {
      for (;;) {
        const head = queue.head;
        if (this.#stopped || !head || queue.dueMs > this.#deps.nowMs()) return;
        const letter = this.#deps.letter(head);
        if (letter === null) return;
        const outcome = typeof letter === 'string' ? refusal(letter) : await this.#deps.send(letter);
        // Ignore the outcome if the webhook was deleted, or the service stopped, during the transmission. After a stop,
        // the next run sends the delivery again.
        if (this.#stopped || this.#queues.get(webhookId) !== queue) return;
        this.#came(queue, head, outcome);
      }
    } catch (thrown) {
      this.#deps.trouble(thrown);
      queue.dueMs = this.#deps.nowMs() + 1_000;
    } finally {
      queue.busy = false;
    }
  }

  #came(queue: Queue, head: DeliveryRow, outcome: Outcome): void {
    const { nowMs, utcMs, random, health, gone } = this.#deps;
    const attempts = head.attempts + 1;
    const utc = utcMs();
    const next = nextOf(outcome, { attempts, ageMs: utc - head.createdMs }, random);
    const status = next.do === 'again' ? 'due' : next.do === 'done' ? 'done' : 'given_up';
    const nextMs = next.do === 'again' ? utc + next.inMs : null;
    const { status: statusCode, error, tookMs } = outcome;
    const row: DeliveryRow = { ...head, status, attempts, lastMs: utc, nextMs, statusCode, error, tookMs };
    this.#finished.push(row);
    if (next.do === 'again') queue.wait(row, nowMs() + next.inMs);
    else queue.shift(nowMs());
    if (error === null && queue.failing) health(head.webhookId, null);
    if (error !== null && !queue.failing && (attempts >= ALERTED_AFTER || status === 'given_up'))
      health(head.webhookId, error);
    queue.failing = error === null ? false : queue.failing || attempts >= ALERTED_AFTER || status === 'given_up';
    if (next.do !== 'disable') return;
    for (const left of queue.empty()) this.#finished.push({ ...left, status: 'given_up', error, nextMs: null });
    gone(head.webhookId);
  }
}

function refusal(error: string): Outcome {
  return { status: null, error, refused: true, retryAfterS: null, tookMs: 0 };
}
