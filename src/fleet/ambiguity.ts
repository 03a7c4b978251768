import type { Standing } from './available.ts';
import type { FleetAsset, FleetDeps } from './deps.ts';
import type { Roster } from './roster.ts';
import type { Stations } from './stations.ts';
import type { Vehicle } from './vehicle.ts';

/** State of the fleet that the check for ambiguous vehicles needs. */
export type AmbiguityDeps = Pick<FleetDeps, 'sysid'> & {
  roster: Roster;
  stations: Stations;
  assetOf(vehicle: Vehicle): FleetAsset | null;
};

/** Sentence for people that another station uses our own system id, with the station's address where that is known. */
export function ownIdText(sysid: number, from: string): string {
  const who = from === '' ? 'another' : `another at ${from}`;
  return `${who} uses our MAVLink system id ${sysid}; set control.sysid to one that is free`;
}

/** Ambiguity between two vehicles, or between us and another station: for commands, and for people. */
export class Ambiguity {
  readonly #deps: AmbiguityDeps;

  constructor(deps: AmbiguityDeps) {
    this.#deps = deps;
  }

  /** Ambiguity as the commands of a vehicle need it. */
  of(vehicle: Vehicle, nowMs: number): Pick<Standing, 'conflict' | 'believesOne' | 'disbelieved'> {
    const conflict = this.#deps.roster.conflict(vehicle, nowMs);
    const disbelieved = conflict && !conflict.stops ? conflict.text : null;
    // A vehicle with our own system id cannot be addressed. Another station with our id does not affect the vehicle's
    // address.
    const believesOne = vehicle.sysid !== this.#deps.sysid && (conflict === null || conflict.believesOne);
    const stops = this.#ownIdTaken(vehicle, nowMs) ?? (conflict?.stops ? conflict.text : null);
    return { conflict: stops, believesOne, disbelieved };
  }

  /**
   * Sentence where another station, or the vehicle itself, uses our system id on the vehicle's link; null otherwise.
   */
  #ownIdTaken(vehicle: Vehicle, nowMs: number): string | null {
    if (vehicle.sysid === this.#deps.sysid) return ownIdText(this.#deps.sysid, '');
    for (const { linkId } of vehicle.endpoints.all()) {
      const from = this.#deps.stations.namesakeOn(linkId, nowMs);
      if (from !== null) return ownIdText(this.#deps.sysid, from);
    }
    return null;
  }

  /** Conflicts that people see: those of own vehicles only, since unknown senders could raise any number. */
  sure(vehicle: Vehicle, nowMs: number): { asset: FleetAsset; text: string } | null {
    const conflict = this.#deps.roster.conflict(vehicle, nowMs);
    const text = conflict?.isSure ? conflict.text : this.#ownIdTaken(vehicle, nowMs);
    const asset = text === null ? null : this.#deps.assetOf(vehicle);
    return text !== null && asset ? { asset, text } : null;
  }
}
