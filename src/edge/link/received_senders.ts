import { Recency } from './recency.ts';

/** Address to which replies to a sender of datagrams go. */
export type Sender = { address: string; port: number };

/** Known sender; `from` is its name as in a chunk, `atMs` the time of its last datagram. */
type ReceivedSender = Sender & {
  from: string;
  atMs: number;
  older: ReceivedSender | null;
  newer: ReceivedSender | null;
};

export const receivedMax = 256;
const receivedForMs = 10_000;

/**
 * Recent senders of a socket, at most `receivedMax`. When full, a new sender replaces the sender with the oldest last
 * datagram.
 */
export class ReceivedSenders {
  readonly #byAddress = new Map<string, Map<number, ReceivedSender>>();
  readonly #recency = new Recency<ReceivedSender>();
  #size = 0;

  /** Updates the time of a known sender and returns its name; null for an unknown sender. Called for each datagram. */
  again(address: string, port: number, atMs: number): string | null {
    const known = this.#byAddress.get(address)?.get(port);
    if (!known) return null;
    known.atMs = atMs;
    this.#recency.receivedAgain(known);
    return known.from;
  }

  /** Adds a new sender. Returns the name of the sender that was removed to make room, or null. */
  meet(from: string, { address, port }: Sender, atMs: number): string | null {
    const forgotten = this.#size >= receivedMax ? this.#forgetOldest() : null;
    const ports = this.#byAddress.get(address) ?? new Map<number, ReceivedSender>();
    const sender: ReceivedSender = { from, address, port, atMs, older: null, newer: null };
    this.#byAddress.set(address, ports.set(port, sender));
    this.#recency.add(sender);
    this.#size++;
    return forgotten;
  }

  /** Returns the senders with a datagram in the last 10 s, in the order of their last datagrams. */
  recent(nowMs: number): Sender[] {
    return [...this.#recency].filter(({ atMs }) => nowMs - atMs <= receivedForMs);
  }

  #forgetOldest(): string | null {
    const { oldest } = this.#recency;
    if (oldest === null) return null;
    this.#recency.remove(oldest);
    const ports = this.#byAddress.get(oldest.address);
    ports?.delete(oldest.port);
    if (ports?.size === 0) this.#byAddress.delete(oldest.address);
    this.#size--;
    return oldest.from;
  }
}
