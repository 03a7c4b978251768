import type { Identity } from '../../model/observation.ts';

/** Identities remembered; the longest unheard makes room. */
const MAX_HEARD = 5_000;

export type HeardIdentity = Identity & { linkId: string | null; sensorId: string; firstMs: number; lastMs: number };

/** What has been heard, ever since the start: each identity with its first and last time, whatever became of it. */
export class HeardBook {
  readonly #heard = new Map<string, HeardIdentity>();
  evicted = 0;

  note(identity: Identity, sensorId: string, linkId: string | null, atMs: number): void {
    const key = `${identity.type}:${identity.value}`;
    const known = this.#heard.get(key);
    if (known) this.#heard.delete(key);
    else if (this.#heard.size >= MAX_HEARD) this.#forgetOldest();
    this.#heard.set(key, { ...identity, linkId, sensorId, firstMs: known?.firstMs ?? atMs, lastMs: atMs });
  }

  list(): HeardIdentity[] {
    return [...this.#heard.values()];
  }

  get size(): number {
    return this.#heard.size;
  }

  #forgetOldest(): void {
    const oldest = this.#heard.keys().next();
    if (!oldest.done) this.#heard.delete(oldest.value);
    this.evicted++;
  }
}
