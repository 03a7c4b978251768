import type { Actor } from '../../model/actor.ts';
import type { Command } from '../../model/command.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Severity } from '../../model/event.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { Task } from '../../model/task.ts';
import type { Provenance, Track } from '../../model/track.ts';
import type { Verb } from '../../model/verb.ts';
import type { Zone } from '../../model/zone.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { State } from '../../store/state.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { ControlSettings } from './authority.ts';

/** A place to fly to; the height is above the ellipsoid. */
export type FlyPlace = { lat: number; lon: number; altHaeM: number };

/** A straight way that a vehicle is to take; it begins where the vehicle is, unless `from` says where it will be. */
export type Way = { verb: Verb; from?: FlyPlace; to: FlyPlace; speedMps: number | null; standoffM?: number };

/** What commands need of what runs around them. */
export type ControlRim = {
  fleet: Fleet;
  state: State;
  ledger: Ledger;
  workspaceId: string;
  control: ControlSettings;
  /** Provenance of the world that commands are given in. */
  provenance: Provenance;
  nowMs(): number;
  utcMs(worldMs: number): number;
  /** World milliseconds of a time as people write it. */
  worldMs(utcMs: number): number;
  policy(): DecisionPolicy;
  track(id: string): Track | undefined;
  zone(id: string): Zone | undefined;
  asset(id: string): { id: string; name: string } | null;
  /** The id of the asset that is the twin of this name; null where it is the name of none. */
  twinId(name: string): string | null;
  performance(assetId: string): PlatformPerformance;
  /** How fast it flies where nothing is said, and may. */
  speedOf(vehicle: Vehicle, figures: PlatformPerformance): number;
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** Why a vehicle must not take a way, null where nothing stands against it. `sent` are others, as if they were on theirs. */
  wayRefusal(vehicle: Vehicle, assetId: string, way: Way, sent?: ReadonlyMap<Vehicle, Way>): Refusal | null;
  /** The same but for its energy: what steering asks of ways among which it may choose. */
  wayBlocked(vehicle: Vehicle, assetId: string, way: Way): Refusal | null;
  told: {
    command(command: Command): void;
    task(task: Task): void;
  };
  note(
    kind: string,
    severity: Severity,
    text: string,
    subject: { type: string; id: string; label: string } | null,
  ): void;
};

/** What is asked of a vehicle, by a person or by a plan that people approved. */
export type Ask = {
  /** A key that sends it. */
  key: { mayCommand: boolean } | null;
  by: Actor;
  operator: string | null;
  why: string | null;
  engagementId: string | null;
};
