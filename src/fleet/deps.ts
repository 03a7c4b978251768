import type { Payload } from '../edge/wire/mavlink/write.ts';
import type { Severity } from '../model/event.ts';
import type { FleetRow } from '../model/fleet.ts';
import type { LinkPolicy } from '../model/link.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Provenance } from '../model/track.ts';
import type { Verb } from '../model/verb.ts';

/** Fields of an asset that the fleet uses. */
export type FleetAsset = {
  id: string;
  name: string;
  /** Verbs of the asset's catalog entry and payloads; null if they list none. */
  verbs: ReadonlySet<Verb> | null;
  performance: PlatformPerformance;
};

/** An asset that is bound to a vehicle, whether or not the vehicle is received. */
export type AdoptedAsset = Pick<FleetRow, 'name' | 'key' | 'connection' | 'provenance' | 'sysid' | 'compid'> & {
  id: string;
};

/** Properties of a link that the fleet uses. */
export type FleetLink = { policy: LinkPolicy['effective']; signing: LinkSigns; provesSender: boolean };

/** Signing on a link. `keyless`: the link demands signatures, but has no key to check them or to sign. */
export type LinkSigns = 'none' | 'required' | 'keyless';

export type FleetDeps = {
  nowMs(): number;
  timeText(worldMs: number): string;
  /** Our own MAVLink system id. */
  sysid: number;
  /** Provenance of the world to which the vehicles belong. */
  provenance: Provenance;
  transmit(linkId: string, payload: Payload, to: string): Promise<void>;
  link(linkId: string): FleetLink | null;
  /** Returns the registry's entries for vehicles; null until the registry is attached. */
  registry(): FleetRegistry | null;
  /** Called with each new or changed row; `gone` is called with the key of each removed row. */
  shown(row: FleetRow): void;
  gone(key: string): void;
  /**
   * Called with a sentence when an identity conflict of an asset's vehicle begins, or when the sentence changes. Called
   * with null when the conflict is over.
   */
  conflict(asset: FleetAsset, text: string | null): void;
  note(
    kind: string,
    severity: Severity,
    text: string,
    subject: { type: string; id: string; label: string } | null,
  ): void;
};

export type FleetRegistry = {
  /** Number that changes whenever a name may refer to another asset. Caches compare it. */
  generation(): number;
  /**
   * Returns the asset that has one of these names. Otherwise, on a link that was issued for an asset, returns this
   * asset if its ids are `sysid` and `compid`. Null if there is none.
   */
  assetOf(names: readonly string[], linkId: string, sysid: number, compid: number): FleetAsset | null;
  /** Returns all platforms that are bound to a vehicle. */
  adopted(): readonly AdoptedAsset[];
  discoveryOn(): boolean;
  controlOn: boolean;
  reservePct(): number;
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  taskOf(assetId: string): string | null;
};
