import type { Identity, Observation } from '../model/observation.ts';
import { identityKey, type TrackRecord } from './track_record.ts';

/** What outranks what when one observation names several: a serial says more than an address that may be random. */
const precedence: Record<Identity['type'], number> = {
  serial: 0,
  icao24: 1,
  mavlink: 2,
  caa: 3,
  utm: 4,
  session: 5,
  mac: 6,
  callsign: 7,
};

/** Which track an identity belongs to. The first track that carried an identity keeps it until it ends. */
export class IdentityIndex {
  readonly #tracks = new Map<string, TrackRecord>();

  /** Tracks that carry any of the observation's identities, the strongest identity's first. */
  find(observation: Observation): TrackRecord[] {
    const found: TrackRecord[] = [];
    const strongestFirst = [...observation.identities].sort((a, b) => precedence[a.type] - precedence[b.type]);
    for (const identity of strongestFirst) {
      const track = this.#tracks.get(identityKey(identity));
      if (track && !found.includes(track)) found.push(track);
    }
    return found;
  }

  claim(track: TrackRecord): void {
    for (const key of track.identities.keys()) if (!this.#tracks.has(key)) this.#tracks.set(key, track);
  }

  /** Everything `from` carried now leads to `into`. */
  move(from: TrackRecord, into: TrackRecord): void {
    for (const key of from.identities.keys()) if (this.#tracks.get(key) === from) this.#tracks.set(key, into);
  }

  release(track: TrackRecord): void {
    for (const key of track.identities.keys()) if (this.#tracks.get(key) === track) this.#tracks.delete(key);
  }
}
