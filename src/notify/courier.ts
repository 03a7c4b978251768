import type { State } from '../store/state.ts';
import type { DeliveryRow, DeliveryRows } from '../store/webhooks.ts';
import { Queue } from './queue.ts';
import { nextOf } from './retry.ts';
import type { Letter, Outcome, Sender } from './send.ts';

export type CourierRim = {
  state: State;
  rows: DeliveryRows;
  /** Monotonic milliseconds: waits do not move with the wall clock. */
  nowMs(): number;
  utcMs(): number;
  random(): number;
  send: Sender;
  /** What goes over the wire for a row; a sentence where it cannot, null where its webhook is switched off. */
  letter(row: DeliveryRow): Letter | string | null;
  /** The endpoint says that it is gone for good. */
  gone(webhookId: string): void;
  /** Deliveries to it have begun to fail, or to arrive again. */
  health(webhookId: string, error: string | null): void;
  trouble(sentence: unknown): void;
};

/** The log of a webhook goes so far back. */
export const MOST_LOGGED = 1_000;
/** After so many attempts in vain somebody is told. */
const TOLD_AFTER = 5;

/**
 * Brings deliveries to their webhooks, those of one in their order and one at a time. What is due stands on the disk, so
 * that a restart goes on with it; what came of it is written in batches, so that one may arrive twice, with the same id,
 * but none is lost.
 */
export class Courier {
  readonly #rim: CourierRim;
  readonly #queues = new Map<string, Queue>();
  #finished: DeliveryRow[] = [];
  #stopped = false;

  constructor(rim: CourierRim) {
    this.#rim = rim;
  }

  /** Begins to serve a webhook, with what an earlier run left due. */
  open(webhookId: string): void {
    const { rows, nowMs, utcMs } = this.#rim;
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

  /** Call within a write of the state; what it returns, once that stands. */
  write(webhookId: string, fresh: readonly Omit<DeliveryRow, 'number'>[]): () => void {
    const queue = this.#queues.get(webhookId);
    if (!queue) return () => {};
    const { rows } = this.#rim;
    const { kept, dropped } = queue.judge(fresh);
    const dueMs = this.#rim.nowMs();
    for (const row of dropped) rows.update({ ...row, status: 'dropped', nextMs: null });
    const numbered = kept.map((row) => ({ ...row, number: rows.insert(row) }));
    return () => queue.take(numbered, dropped, fresh.length - kept.length, dueMs);
  }

  /** Puts a row into the log that no queue holds. */
  log(row: Omit<DeliveryRow, 'number'>): void {
    this.#rim.state.write('The delivery', () => {
      this.#rim.rows.insert(row);
      this.#rim.rows.prune(row.webhookId, MOST_LOGGED);
    });
  }

  /** Sends what is due now and writes down what came; call a few times a second. Returns when all of it has come to something. */
  async pump(): Promise<void> {
    this.flush();
    if (this.#stopped) return;
    await Promise.all([...this.#queues].map(([webhookId, queue]) => this.#serve(webhookId, queue)));
  }

  /** Writes what came of deliveries. A disk that refuses is asked again. */
  flush(): void {
    const done = this.#finished;
    if (done.length === 0) return;
    try {
      this.#rim.state.write('The deliveries', () => {
        for (const row of done) this.#rim.rows.update(row);
        for (const id of new Set(done.map(({ webhookId }) => webhookId))) this.#rim.rows.prune(id, MOST_LOGGED);
      });
      this.#finished = [];
    } catch (thrown) {
      this.#rim.trouble(thrown);
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
        if (this.#stopped || !head || queue.dueMs > this.#rim.nowMs()) return;
        const letter = this.#rim.letter(head);
        if (letter === null) return;
        const outcome = typeof letter === 'string' ? refusal(letter) : await this.#rim.send(letter);
        // Taken away, or stopped, meanwhile: who comes next sends it again.
        if (this.#stopped || this.#queues.get(webhookId) !== queue) return;
        this.#came(queue, head, outcome);
      }
    } catch (thrown) {
      this.#rim.trouble(thrown);
      queue.dueMs = this.#rim.nowMs() + 1_000;
    } finally {
      queue.busy = false;
    }
  }

  #came(queue: Queue, head: DeliveryRow, outcome: Outcome): void {
    const { nowMs, utcMs, random, health, gone } = this.#rim;
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
    if (error !== null && !queue.failing && (attempts >= TOLD_AFTER || status === 'given_up'))
      health(head.webhookId, error);
    queue.failing = error === null ? false : queue.failing || attempts >= TOLD_AFTER || status === 'given_up';
    if (next.do !== 'disable') return;
    for (const left of queue.empty()) this.#finished.push({ ...left, status: 'given_up', error, nextMs: null });
    gone(head.webhookId);
  }
}

function refusal(error: string): Outcome {
  return { status: null, error, refused: true, retryAfterS: null, tookMs: 0 };
}
