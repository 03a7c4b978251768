import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';

/**
 * State of each sender. Senders received over proven receivers have one map, and all others have another. A flood of
 * invented senders thus evicts no sender of a proven receiver. A sender keeps its state when its receiver becomes
 * proven.
 */
export class TrustedSenders<T> {
  readonly #proven: SenderMap<T>;
  readonly #unproven: SenderMap<T>;

  constructor(limit: number) {
    this.#proven = new SenderMap(limit, FORGET_SILENT_MS);
    this.#unproven = new SenderMap(limit, FORGET_SILENT_MS);
  }

  of(name: string, isProven: boolean, make: () => T, atMs: number): T {
    if (!isProven) return this.#unproven.of(name, make, atMs);
    const known = this.#proven.again(name, atMs);
    if (known !== undefined) return known;
    const learnt = this.#unproven.again(name, atMs);
    this.#unproven.delete(name);
    return this.#proven.of(name, () => learnt ?? make(), atMs);
  }

  /** Returns the state of a known sender; undefined for a sender that was not received before. */
  again(name: string, atMs: number): T | undefined {
    return this.#proven.again(name, atMs) ?? this.#unproven.again(name, atMs);
  }
}
