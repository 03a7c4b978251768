import { Recency } from './recency.ts';

/** A sender of datagrams, as its replies must be addressed. */
export type Sender = { address: string; port: number };

/** A sender with its name, as it stands in a chunk's `from`. */
type HeardSender = Sender & { from: string; atMs: number; older: HeardSender | null; newer: HeardSender | null };

export const heardMax = 256;
const heardForMs = 10_000;

/** Who was heard lately on a socket, at most `heardMax`; when full, who was silent longest is forgotten. */
export class Heard {
  readonly #byAddress = new Map<string, Map<number, HeardSender>>();
  readonly #recency = new Recency<HeardSender>();
  #size = 0;

  /** Notes that a sender was heard again, and answers its name; null where it is not known. Asked for each datagram. */
  again(address: string, port: number, atMs: number): string | null {
    const known = this.#byAddress.get(address)?.get(port);
    if (!known) return null;
    known.atMs = atMs;
    this.#recency.heardAgain(known);
    return known.from;
  }

  /** Notes a sender that is not known; answers the name of the one that had to be forgotten for it, or null. */
  meet(from: string, { address, port }: Sender, atMs: number): string | null {
    const forgotten = this.#size >= heardMax ? this.#forgetOldest() : null;
    const ports = this.#byAddress.get(address) ?? new Map<number, HeardSender>();
    const sender: HeardSender = { from, address, port, atMs, older: null, newer: null };
    this.#byAddress.set(address, ports.set(port, sender));
    this.#recency.add(sender);
    this.#size++;
    return forgotten;
  }

  /** Everyone heard in the last 10 s, the longest silent first. */
  recent(nowMs: number): Sender[] {
    return [...this.#recency].filter(({ atMs }) => nowMs - atMs <= heardForMs);
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
