import { SenderMap } from './sender_map.ts';

/**
 * State of each sender. Senders received over proven receivers have one map, and all others have another. A flood of
 * invented senders thus evicts no sender of a proven receiver. A sender keeps its state when its receiver becomes
 * proven.
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

  /** Returns the state of a known sender; undefined for a sender that was not received before. */
  again(name: string): T | undefined {
    return this.#proven.again(name) ?? this.#unproven.again(name);
  }
}
