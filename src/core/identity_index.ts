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

/** Tracks that may carry one identity at once: the aircraft, and those that claim to be it elsewhere. */
const MAX_CARRIERS = 32;

/**
 * Which tracks carry an identity, the first that carried it first. Several can: a serial that is heard in two places is
 * two tracks, and each is to be found again by it. Holds what the tracks hold and no more, so that what a track forgot
 * leads nowhere, and least of all to a track that has ended.
 */
export class IdentityIndex {
  readonly #carriers = new Map<string, TrackRecord[]>();
  readonly #keys = new Map<TrackRecord, Set<string>>();

  /** Tracks that carry any of the observation's identities, the strongest identity's first. */
  find(observation: Observation): TrackRecord[] {
    const found = new Set<TrackRecord>();
    const strongestFirst = [...observation.identities].sort((a, b) => precedence[a.type] - precedence[b.type]);
    for (const identity of strongestFirst) {
      for (const track of this.#carriers.get(identityKey(identity)) ?? []) found.add(track);
    }
    return [...found];
  }

  /** Call whenever what the track carries may have changed. */
  claim(track: TrackRecord): void {
    const keys = this.#keys.get(track) ?? new Set();
    this.#keys.set(track, keys);
    for (const key of keys) {
      if (track.identities.has(key)) continue;
      keys.delete(key);
      this.#leave(key, track);
    }
    for (const key of track.identities.keys()) if (!keys.has(key) && this.#join(key, track)) keys.add(key);
  }

  /** Call when the track ends. */
  release(track: TrackRecord): void {
    for (const key of this.#keys.get(track) ?? []) this.#leave(key, track);
    this.#keys.delete(track);
  }

  /** Where too many carry an identity, whoever came first stays and the next is found by its other names. */
  #join(key: string, track: TrackRecord): boolean {
    const carriers = this.#carriers.get(key);
    if (!carriers) this.#carriers.set(key, [track]);
    else if (carriers.length < MAX_CARRIERS) carriers.push(track);
    else return false;
    return true;
  }

  #leave(key: string, track: TrackRecord): void {
    const carriers = this.#carriers.get(key) ?? [];
    const at = carriers.indexOf(track);
    if (at >= 0) carriers.splice(at, 1);
    if (carriers.length === 0) this.#carriers.delete(key);
  }
}
