import { SenderMap } from './sender_map.ts';

/**
 * What is kept of senders, apart for those that came over a proven receiver: a flood of invented senders pushes none of
 * them out. A sender whose receiver is proven meanwhile keeps what was learnt of it.
 */
export class TrustedSenders<T> {
  readonly #proven: SenderMap<T>;
  readonly #unproven: SenderMap<T>;

  constructor(limit: number) {
    this.#proven = new SenderMap(limit);
    this.#unproven = new SenderMap(limit);
  }

  of(name: string, isProven: boolean, make: () => T): T {
    if (!isProven) return this.#unproven.of(name, make);
    const known = this.#proven.again(name);
    if (known !== undefined) return known;
    const learnt = this.#unproven.again(name);
    this.#unproven.delete(name);
    return this.#proven.of(name, () => learnt ?? make());
  }

  /** What is kept of a sender already; undefined for one that was not received before. */
  again(name: string): T | undefined {
    return this.#proven.again(name) ?? this.#unproven.again(name);
  }
}
