import type { Standing } from './available.ts';
import type { FleetAsset, FleetDeps } from './deps.ts';
import type { Roster } from './roster.ts';
import type { Stations } from './stations.ts';
import type { Vehicle } from './vehicle.ts';

export type AmbiguityDeps = Pick<FleetDeps, 'sysid'> & {
  roster: Roster;
  stations: Stations;
  assetOf(vehicle: Vehicle): FleetAsset | null;
};

/** Sentence stating that another station uses our own system id. `from` is its address, empty if not known. */
export function ownIdText(sysid: number, from: string): string {
  const who = from === '' ? 'another sender' : `another sender at ${from}`;
  return `${who} uses our MAVLink system id ${sysid}; set control.sysid to a free system id`;
}

/** Detects vehicles that cannot be told apart, and stations that use our own system id. */
export class Ambiguity {
  readonly #deps: AmbiguityDeps;

  constructor(deps: AmbiguityDeps) {
    this.#deps = deps;
  }

  /** Returns the ambiguity of a vehicle in the form that the checks of commands need. */
  of(vehicle: Vehicle, nowMs: number): Pick<Standing, 'conflict' | 'believesOne' | 'disbelieved'> {
    const conflict = this.#deps.roster.conflict(vehicle, nowMs);
    const disbelieved = conflict && !conflict.stops ? conflict.text : null;
    // A vehicle that uses our own system id cannot be addressed, so its address is not accepted. A station that uses
    // our id does not affect the vehicle's address.
    const believesOne = vehicle.sysid !== this.#deps.sysid && (conflict === null || conflict.believesOne);
    const stops = this.#ownIdTaken(vehicle, nowMs) ?? (conflict?.stops ? conflict.text : null);
    return { conflict: stops, believesOne, disbelieved };
  }

  /** Returns a sentence if the vehicle itself, or a station on one of its links, uses our system id; otherwise null. */
  #ownIdTaken(vehicle: Vehicle, nowMs: number): string | null {
    if (vehicle.sysid === this.#deps.sysid) return ownIdText(this.#deps.sysid, '');
    for (const { linkId } of vehicle.endpoints.all()) {
      const from = this.#deps.stations.namesakeOn(linkId, nowMs);
      if (from !== null) return ownIdText(this.#deps.sysid, from);
    }
    return null;
  }

  /**
   * Returns the conflict for which an alert about a vehicle is raised; null if there is none. Only adopted vehicles
   * raise alerts, because unknown senders could cause any number.
   */
  sure(vehicle: Vehicle, nowMs: number): { asset: FleetAsset; text: string } | null {
    const conflict = this.#deps.roster.conflict(vehicle, nowMs);
    const text = conflict?.isSure ? conflict.text : this.#ownIdTaken(vehicle, nowMs);
    const asset = text === null ? null : this.#deps.assetOf(vehicle);
    return text !== null && asset ? { asset, text } : null;
  }
}
