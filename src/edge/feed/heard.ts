import type { Identity } from '../../model/observation.ts';
import { SenderMap } from './sender_map.ts';

/** Identities remembered; the longest unheard makes room. */
const MAX_HEARD = 5_000;

export type HeardIdentity = Identity & { linkId: string | null; sensorId: string; firstMs: number; lastMs: number };

/** What has been heard, ever since the start: each identity with its first and last time, whatever became of it. */
export class HeardBook {
  readonly #heard = new SenderMap<HeardIdentity>(MAX_HEARD);

  note(identity: Identity, sensorId: string, linkId: string | null, atMs: number): void {
    const heard = this.#heard.of(`${identity.type}:${identity.value}`, () => ({
      linkId,
      ...identity,
      sensorId,
      firstMs: atMs,
      lastMs: atMs,
    }));
    heard.transport = identity.transport;
    heard.linkId = linkId;
    heard.sensorId = sensorId;
    heard.lastMs = atMs;
  }

  /** As of now, the longest unheard first. */
  list(): HeardIdentity[] {
    return this.#heard.values().map((heard) => ({ ...heard }));
  }

  get size(): number {
    return this.#heard.size;
  }

  get evicted(): number {
    return this.#heard.evicted;
  }
}
