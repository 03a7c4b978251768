import type { Identity } from '../../model/observation.ts';
import { Recency } from '../link/recency.ts';

/** Greatest number of identities kept. A new identity evicts the identity with the oldest last reception. */
const MAX_RECEIVED = 5_000;

export type ReceivedIdentity = Identity & { linkId: string | null; sensorId: string; firstMs: number; lastMs: number };

type Entry = { readonly received: ReceivedIdentity; older: Entry | null; newer: Entry | null };

/**
 * Identities received since the start, each with its first and last time of reception. Identities of observations that
 * `judgeTime` refuses are included.
 */
export class ReceivedIdentities {
  /** Entries by type and value of the identity. Two nested maps avoid composing a key for every observation. */
  readonly #byType = new Map<Identity['type'], Map<string, Entry>>();
  readonly #recency = new Recency<Entry>();
  size = 0;
  evicted = 0;

  note(identity: Identity, sensorId: string, linkId: string | null, atMs: number): void {
    const known = this.#byType.get(identity.type)?.get(keyOf(identity, linkId));
    if (known) this.#recency.receivedAgain(known);
    const { received } = known ?? this.#meet(identity, sensorId, linkId, atMs);
    received.transport = identity.transport;
    received.linkId = linkId;
    received.sensorId = sensorId;
    received.lastMs = atMs;
  }

  /** Returns a copy of all identities, sorted by last reception, the oldest first. */
  list(): ReceivedIdentity[] {
    return Array.from(this.#recency, ({ received }) => ({ ...received }));
  }

  #meet(identity: Identity, sensorId: string, linkId: string | null, atMs: number): Entry {
    const entry: Entry = {
      received: { linkId, ...identity, sensorId, firstMs: atMs, lastMs: atMs },
      ...{ older: null, newer: null },
    };
    const ofType = this.#byType.get(identity.type) ?? new Map<string, Entry>();
    this.#byType.set(identity.type, ofType.set(keyOf(identity, linkId), entry));
    this.#recency.add(entry);
    this.size++;
    const { oldest } = this.#recency;
    if (this.size > MAX_RECEIVED && oldest) this.#forget(oldest);
    return entry;
  }

  #forget(entry: Entry): void {
    this.#byType.get(entry.received.type)?.delete(keyOf(entry.received, entry.received.linkId));
    this.#recency.remove(entry);
    this.size--;
    this.evicted++;
  }
}

/** Returns the key of an identity. An `external` number is valid on its link only, so its key contains the link. */
function keyOf({ type, value }: Identity, linkId: string | null): string {
  return type === 'external' ? `${linkId} ${value}` : value;
}
