import { Recency } from './recency.ts';

/** A sender of datagrams, as its replies must be addressed. */
export type Sender = { address: string; port: number };

/** A sender with its name, as it stands in a chunk's `from`. */
type ReceivedSender = Sender & {
  from: string;
  atMs: number;
  older: ReceivedSender | null;
  newer: ReceivedSender | null;
};

export const receivedMax = 256;
const receivedForMs = 10_000;

/** Senders received lately on a socket, at most `receivedMax`; when full, the one that is silent longest is forgotten. */
export class ReceivedSenders {
  readonly #byAddress = new Map<string, Map<number, ReceivedSender>>();
  readonly #recency = new Recency<ReceivedSender>();
  #size = 0;

  /** Notes another datagram of a sender and returns its name; null where it is not known. Called for each datagram. */
  again(address: string, port: number, atMs: number): string | null {
    const known = this.#byAddress.get(address)?.get(port);
    if (!known) return null;
    known.atMs = atMs;
    this.#recency.receivedAgain(known);
    return known.from;
  }

  /** Notes a new sender; returns the name of the one that had to be forgotten for it, or null. */
  meet(from: string, { address, port }: Sender, atMs: number): string | null {
    const forgotten = this.#size >= receivedMax ? this.#forgetOldest() : null;
    const ports = this.#byAddress.get(address) ?? new Map<number, ReceivedSender>();
    const sender: ReceivedSender = { from, address, port, atMs, older: null, newer: null };
    this.#byAddress.set(address, ports.set(port, sender));
    this.#recency.add(sender);
    this.#size++;
    return forgotten;
  }

  /** Senders of the last 10 s, the longest silent first. */
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
