/** A sender of datagrams, as its replies must be addressed. */
export type Sender = { address: string; port: number };

export const heardMax = 256;
const heardForMs = 10_000;

/** Who was heard lately on a socket, at most `heardMax`; when full, who was silent longest is forgotten. */
export class Heard {
  #senders = new Map<string, Sender & { atMs: number }>();

  /** Notes a sender; answers the one that had to be forgotten for it, or null. */
  note(from: string, sender: Sender, atMs: number): string | null {
    const known = this.#senders.delete(from);
    let forgotten: string | null = null;
    if (!known && this.#senders.size >= heardMax) {
      forgotten = this.#senders.keys().next().value ?? null;
      if (forgotten !== null) this.#senders.delete(forgotten);
    }
    this.#senders.set(from, { ...sender, atMs });
    return forgotten;
  }

  /** Everyone heard in the last 10 s. */
  recent(nowMs: number): Sender[] {
    return [...this.#senders.values()].filter((sender) => nowMs - sender.atMs <= heardForMs);
  }
}
