import type { MavlinkHeartbeat } from '../../edge/wire/message.ts';
import { HEARD_MS, OTHER_STATION_MS } from './available.ts';
import { MAV_TYPE_GCS } from './mav.ts';

/** Whoever else commands on the links: other ground stations, and one that uses our own system id. */
export class Stations {
  readonly #sysid: number;
  readonly #onOwnIdTaken: () => void;
  readonly #byLink = new Map<string, { sysid: number; atMs: number }>();
  /** By link: whoever may speak on one has no say on another. */
  readonly #ownIdTakenMs = new Map<string, number>();

  constructor(sysid: number, onOwnIdTaken: () => void) {
    this.#sysid = sysid;
    this.#onOwnIdTaken = onOwnIdTaken;
  }

  /** Whether a heartbeat was a station's. */
  hear(linkId: string, { type, sysid }: MavlinkHeartbeat, atMs: number): boolean {
    if (type !== MAV_TYPE_GCS) return false;
    if (sysid !== this.#sysid) {
      this.#byLink.set(linkId, { sysid, atMs });
      return true;
    }
    const isNews = atMs - (this.#ownIdTakenMs.get(linkId) ?? Number.NEGATIVE_INFINITY) > HEARD_MS;
    this.#ownIdTakenMs.set(linkId, atMs);
    if (isNews) this.#onOwnIdTaken();
    return true;
  }

  /** The system id of another station that was heard on a link a moment ago. */
  on(linkId: string, nowMs: number): number | null {
    const station = this.#byLink.get(linkId);
    return station && nowMs - station.atMs <= OTHER_STATION_MS ? station.sysid : null;
  }

  isOwnIdTaken(linkId: string, nowMs: number): boolean {
    return nowMs - (this.#ownIdTakenMs.get(linkId) ?? Number.NEGATIVE_INFINITY) <= OTHER_STATION_MS;
  }

  forget(linkId: string): void {
    this.#byLink.delete(linkId);
    this.#ownIdTakenMs.delete(linkId);
  }
}
