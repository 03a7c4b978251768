/** A sender of datagrams, as its replies must be addressed. */
export type Sender = { address: string; port: number };

/** A sender with its name, as it stands in a chunk's `from`, between who was heard before and after it. */
type HeardSender = Sender & { from: string; atMs: number; older: HeardSender | null; newer: HeardSender | null };

export const heardMax = 256;
const heardForMs = 10_000;

/** Who was heard lately on a socket, at most `heardMax`; when full, who was silent longest is forgotten. */
export class Heard {
  readonly #byAddress = new Map<string, Map<number, HeardSender>>();
  #oldest: HeardSender | null = null;
  #newest: HeardSender | null = null;
  #size = 0;

  /** Notes that a sender was heard again, and answers its name; null where it is not known. Asked for each datagram. */
  again(address: string, port: number, atMs: number): string | null {
    const known = this.#byAddress.get(address)?.get(port);
    if (!known) return null;
    known.atMs = atMs;
    if (known !== this.#newest) {
      this.#unlink(known);
      this.#append(known);
    }
    return known.from;
  }

  /** Notes a sender that is not known; answers the name of the one that had to be forgotten for it, or null. */
  meet(from: string, { address, port }: Sender, atMs: number): string | null {
    const forgotten = this.#size >= heardMax ? this.#forgetOldest() : null;
    const ports = this.#byAddress.get(address) ?? new Map<number, HeardSender>();
    const sender: HeardSender = { from, address, port, atMs, older: null, newer: null };
    this.#byAddress.set(address, ports.set(port, sender));
    this.#append(sender);
    this.#size++;
    return forgotten;
  }

  /** Everyone heard in the last 10 s, the longest silent first. */
  recent(nowMs: number): Sender[] {
    const senders: Sender[] = [];
    for (let sender = this.#oldest; sender; sender = sender.newer)
      if (nowMs - sender.atMs <= heardForMs) senders.push(sender);
    return senders;
  }

  #forgetOldest(): string | null {
    const oldest = this.#oldest;
    if (oldest === null) return null;
    this.#unlink(oldest);
    const ports = this.#byAddress.get(oldest.address);
    ports?.delete(oldest.port);
    if (ports?.size === 0) this.#byAddress.delete(oldest.address);
    this.#size--;
    return oldest.from;
  }

  #append(sender: HeardSender): void {
    sender.older = this.#newest;
    sender.newer = null;
    if (this.#newest) this.#newest.newer = sender;
    else this.#oldest = sender;
    this.#newest = sender;
  }

  #unlink(sender: HeardSender): void {
    if (sender.older) sender.older.newer = sender.newer;
    else this.#oldest = sender.newer;
    if (sender.newer) sender.newer.older = sender.older;
    else this.#newest = sender.older;
  }
}
