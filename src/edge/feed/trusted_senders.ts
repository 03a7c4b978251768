import { SenderMap } from './sender_map.ts';

/**
 * State per sender, in separate maps for senders over proven receivers and for others. A flood of invented senders
 * displaces none of the former. A sender keeps its state when its receiver becomes proven.
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
