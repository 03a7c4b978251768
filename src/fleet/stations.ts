import type { MavlinkHeartbeat } from '../edge/wire/message.ts';
import { OTHER_STATION_MS } from './available.ts';
import { MAV_TYPE_GCS } from './mav.ts';

/**
 * Number of heartbeats with our system id, within `OTHER_STATION_MS` on one link, that show another station. Anybody
 * can forge a single datagram.
 */
const LEAST_BEATS = 3;
/** Least interval between two counted heartbeats, ms. Stations send one a second; closer ones are copies. */
const APART_MS = 500;
/** Least interval between log rows, ms. Without it, the other station would decide how fast the log grows. */
const NOTE_EVERY_MS = 60_000;

/**
 * A station with our own system id on one link: its address, its last heartbeats, and when it was last detected and
 * logged.
 */
type Namesake = { from: string; beatsMs: readonly number[]; takenMs: number; notedMs: number };

/** Other ground stations on the links, including those that use our own system id. */
export class Stations {
  readonly #sysid: number;
  readonly #onOwnIdTaken: (from: string) => void;
  readonly #byLink = new Map<string, { sysid: number; atMs: number }>();
  /** Stations with our own system id, by link id. A sender on one link must not affect commands on another. */
  readonly #namesakes = new Map<string, Namesake>();

  constructor(sysid: number, onOwnIdTaken: (from: string) => void) {
    this.#sysid = sysid;
    this.#onOwnIdTaken = onOwnIdTaken;
  }

  /** Takes a heartbeat. Returns true if it came from a ground station. */
  receive(linkId: string, from: string, { type, sysid }: MavlinkHeartbeat, atMs: number): boolean {
    if (type !== MAV_TYPE_GCS) return false;
    if (sysid === this.#sysid) this.#receiveNamesake(linkId, from, atMs);
    else this.#byLink.set(linkId, { sysid, atMs });
    return true;
  }

  #receiveNamesake(linkId: string, from: string, atMs: number): void {
    const [takenMs, notedMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const known = this.#namesakes.get(linkId) ?? { from, beatsMs: [], takenMs, notedMs };
    this.#namesakes.set(linkId, known);
    if (atMs - (known.beatsMs.at(-1) ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
    known.beatsMs = [...known.beatsMs.slice(1 - LEAST_BEATS), atMs];
    const [firstMs = atMs] = known.beatsMs;
    if (known.beatsMs.length < LEAST_BEATS || atMs - firstMs > OTHER_STATION_MS) return;
    // The address is kept while the conflict lasts, so that the text of the alert does not change.
    if (atMs - known.takenMs > OTHER_STATION_MS) known.from = from;
    known.takenMs = atMs;
    if (atMs - known.notedMs < NOTE_EVERY_MS) return;
    known.notedMs = atMs;
    this.#onOwnIdTaken(known.from);
  }

  /** System id of another station on a link, received within `OTHER_STATION_MS`; null if there is none. */
  on(linkId: string, nowMs: number): number | null {
    const station = this.#byLink.get(linkId);
    return station && nowMs - station.atMs <= OTHER_STATION_MS ? station.sysid : null;
  }

  /** Address of another station that uses our system id on a link; null if there is none. */
  namesakeOn(linkId: string, nowMs: number): string | null {
    const namesake = this.#namesakes.get(linkId);
    return namesake && nowMs - namesake.takenMs <= OTHER_STATION_MS ? namesake.from : null;
  }

  forget(linkId: string): void {
    this.#byLink.delete(linkId);
    this.#namesakes.delete(linkId);
  }
}
