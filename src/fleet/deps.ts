import type { Payload } from '../edge/wire/mavlink/write.ts';
import type { Severity } from '../model/event.ts';
import type { FleetRow } from '../model/fleet.ts';
import type { LinkPolicy } from '../model/link.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Provenance } from '../model/track.ts';
import type { Verb } from '../model/verb.ts';

/** An asset as the fleet needs it. */
export type FleetAsset = {
  id: string;
  name: string;
  /** Verbs of its catalog entry and its payloads; null where they list none. */
  verbs: ReadonlySet<Verb> | null;
  performance: PlatformPerformance;
};

/** An asset that a vehicle is bound to, whether or not the vehicle is received. */
export type AdoptedAsset = Pick<FleetRow, 'name' | 'key' | 'connection' | 'provenance' | 'sysid' | 'compid'> & {
  id: string;
};

/** A link as the fleet needs it. */
export type FleetLink = { policy: LinkPolicy['effective']; signing: LinkSigns; provesSender: boolean };

/** Signing of a link; `keyless` where it demands signatures and has no key to check or sign with. */
export type LinkSigns = 'none' | 'required' | 'keyless';

/** Parts of the service that the fleet needs. */
export type FleetDeps = {
  nowMs(): number;
  timeText(worldMs: number): string;
  /** Our own system id. */
  sysid: number;
  /** Provenance of the world that the vehicles are in. */
  provenance: Provenance;
  transmit(linkId: string, payload: Payload, to: string): Promise<void>;
  link(linkId: string): FleetLink | null;
  /** Entries of the registry for vehicles; null until it is joined. */
  registry(): FleetRegistry | null;
  /** Called with each new or changed row, and with the key of each removed row. */
  shown(row: FleetRow): void;
  gone(key: string): void;
  /**
   * Called with a sentence when an asset can no longer be distinguished from another, or the sentence changes; with
   * null once it can.
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
  /** Changes whenever a name may refer to another asset. */
  generation(): number;
  /** The asset that is known by one of these names, or by its system id on the link that was issued for it. */
  assetOf(names: readonly string[], linkId: string, sysid: number, compid: number): FleetAsset | null;
  /** Every platform that is bound to a vehicle. */
  adopted(): readonly AdoptedAsset[];
  discoveryOn(): boolean;
  controlOn: boolean;
  reservePct(): number;
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  taskOf(assetId: string): string | null;
};
