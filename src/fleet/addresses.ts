import type { Endpoint } from './endpoint.ts';

type BySystem<T> = Map<number, T>;

/**
 * State of each sending address, by link, sender and system id. Nested maps avoid composing a key for every message.
 */
export class Addresses<T extends { endpoint: Endpoint }> {
  readonly #byLink = new Map<string, Map<string, BySystem<T>>>();
  /** All addresses, in the order of their first message. */
  readonly #all = new Set<T>();

  get size(): number {
    return this.#all.size;
  }

  of(linkId: string, from: string, sysid: number): T | undefined {
    return this.#byLink.get(linkId)?.get(from)?.get(sysid);
  }

  keep(known: T): void {
    const { linkId, from, sysid } = known.endpoint;
    const onLink = this.#byLink.get(linkId) ?? new Map<string, BySystem<T>>();
    const there = onLink.get(from) ?? new Map<number, T>();
    this.#byLink.set(linkId, onLink.set(from, there.set(sysid, known)));
    this.#all.add(known);
  }

  forget(known: T): void {
    const { linkId, from, sysid } = known.endpoint;
    if (!this.#all.delete(known)) return;
    const onLink = this.#byLink.get(linkId);
    const there = onLink?.get(from);
    there?.delete(sysid);
    if (there?.size === 0) onLink?.delete(from);
    if (onLink?.size === 0) this.#byLink.delete(linkId);
  }

  /** Returns all addresses, oldest first. Addresses deleted during the iteration are skipped. */
  all(): Iterable<T> {
    return this.#all;
  }
}
