import type { Identity } from '../../model/observation.ts';
import { Recency } from '../link/recency.ts';

/** Identities remembered; the longest unheard makes room. */
const MAX_HEARD = 5_000;

export type HeardIdentity = Identity & { linkId: string | null; sensorId: string; firstMs: number; lastMs: number };

type Entry = { readonly heard: HeardIdentity; older: Entry | null; newer: Entry | null };

/** What has been heard, ever since the start: each identity with its first and last time, whatever became of it. */
export class HeardBook {
  /** By what kind of identity it is and by its value; every observation asks, so that no key is put together. */
  readonly #byType = new Map<Identity['type'], Map<string, Entry>>();
  readonly #recency = new Recency<Entry>();
  size = 0;
  evicted = 0;

  note(identity: Identity, sensorId: string, linkId: string | null, atMs: number): void {
    const known = this.#byType.get(identity.type)?.get(identity.value);
    if (known) this.#recency.heardAgain(known);
    const { heard } = known ?? this.#meet(identity, sensorId, linkId, atMs);
    heard.transport = identity.transport;
    heard.linkId = linkId;
    heard.sensorId = sensorId;
    heard.lastMs = atMs;
  }

  /** As of now, the longest unheard first. */
  list(): HeardIdentity[] {
    return Array.from(this.#recency, ({ heard }) => ({ ...heard }));
  }

  #meet(identity: Identity, sensorId: string, linkId: string | null, atMs: number): Entry {
    const entry: Entry = {
      heard: { linkId, ...identity, sensorId, firstMs: atMs, lastMs: atMs },
      ...{ older: null, newer: null },
    };
    const ofType = this.#byType.get(identity.type) ?? new Map<string, Entry>();
    this.#byType.set(identity.type, ofType.set(identity.value, entry));
    this.#recency.add(entry);
    this.size++;
    const { oldest } = this.#recency;
    if (this.size > MAX_HEARD && oldest) this.#forget(oldest);
    return entry;
  }

  #forget(entry: Entry): void {
    this.#byType.get(entry.heard.type)?.delete(entry.heard.value);
    this.#recency.remove(entry);
    this.size--;
    this.evicted++;
  }
}
