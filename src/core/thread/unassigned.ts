import type { Observation } from '../../model/observation.ts';

const LEAST_SLOTS = 64;

/**
 * Observations that wait for their track, by sequence number. It is a ring, because thousands a second pass through.
 * The tables that a `Map` replaces refer to each other. One of them in the old generation keeps all later ones, with
 * their observations, from being collected young.
 */
export class Unassigned {
  /** The observation with number `n` is at `n` modulo the length, a power of two. */
  #slots: (Observation | undefined)[] = new Array(LEAST_SLOTS);
  /** Number of the oldest observation that waits; `#next` if none waits. */
  #oldest = 1;
  /** Number after the newest one. */
  #next = 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Number of sequence numbers from the oldest observation that waits to the newest one. */
  get span(): number {
    return this.#size === 0 ? 0 : this.#next - this.#oldest;
  }

  /** Adds an observation; `sequence` is higher than all earlier ones. */
  add(sequence: number, observation: Observation): void {
    if (this.#size === 0) this.#oldest = sequence;
    if (sequence - this.#oldest >= this.#slots.length) this.#grow(sequence);
    this.#slots[sequence & (this.#slots.length - 1)] = observation;
    this.#next = sequence + 1;
    this.#size += 1;
  }

  /** Removes the observation and returns it; undefined if none with this number waits. */
  take(sequence: number): Observation | undefined {
    if (sequence < this.#oldest || sequence >= this.#next) return undefined;
    const at = sequence & (this.#slots.length - 1);
    const observation = this.#slots[at];
    if (observation === undefined) return undefined;
    this.#slots[at] = undefined;
    this.#size -= 1;
    this.#skip();
    return observation;
  }

  /** Removes the oldest observation and returns it; undefined if none waits. */
  takeOldest(): Observation | undefined {
    return this.take(this.#oldest);
  }

  /** Moves `#oldest` over numbers that no longer wait. */
  #skip(): void {
    const mask = this.#slots.length - 1;
    while (this.#oldest < this.#next && this.#slots[this.#oldest & mask] === undefined) this.#oldest += 1;
  }

  #grow(sequence: number): void {
    let length = this.#slots.length;
    while (length <= sequence - this.#oldest) length *= 2;
    const slots: (Observation | undefined)[] = new Array(length);
    for (let n = this.#oldest; n < this.#next; n++) slots[n & (length - 1)] = this.#slots[n & (this.#slots.length - 1)];
    this.#slots = slots;
  }
}
