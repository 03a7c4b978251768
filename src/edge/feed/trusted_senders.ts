import { SenderMap } from './sender_map.ts';

/**
 * State per sender, with separate places for senders over a proven receiver: a flood of invented senders displaces none of
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

  /** State of a known sender; undefined for one that was not received before. */
  again(name: string): T | undefined {
    return this.#proven.again(name) ?? this.#unproven.again(name);
  }
}
