import { Fault, unavailable } from '../../model/fault.ts';
import type { FromThread } from './messages.ts';
import type { RawPage } from './selecting.ts';

const mostPending = 64;
const deadlineMs = 30_000;

type Pending = { resolve(page: RawPage): void; reject(fault: Fault): void; deadline: NodeJS.Timeout };

/** Pending queries to the history thread, at most 64. A query fails after 30 s without an answer. */
export class Asker {
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  /**
   * Sends a query through `post`, and returns its answer. Rejects with a Fault if the query is refused or times out.
   */
  ask(post: (id: number) => void): Promise<RawPage> {
    if (this.#pending.size >= mostPending) {
      return Promise.reject(
        new Fault('rate_limited', `${mostPending} queries of the history are pending already; try again in a moment`),
      );
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const late = unavailable(`The history did not answer within ${deadlineMs / 1_000} s.`);
      const deadline = setTimeout(() => this.#take(id)?.reject(late), deadlineMs);
      this.#pending.set(id, { resolve, reject, deadline });
      post(id);
    });
  }

  settle(message: Extract<FromThread, { type: 'answer' | 'refusal' }>): void {
    const pending = this.#take(message.id);
    if (message.type === 'answer') pending?.resolve(message.page);
    else pending?.reject(new Fault(message.code, message.sentence));
  }

  failAll(sentence: string): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(unavailable(sentence));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    clearTimeout(pending?.deadline);
    this.#pending.delete(id);
    return pending;
  }
}
