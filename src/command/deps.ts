import type { FleetDeps } from '../fleet/deps.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { Geodetic } from '../geo/position.ts';
import type { Actor } from '../model/actor.ts';
import type { Command } from '../model/command.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Refusal } from '../model/fleet.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Task } from '../model/task.ts';
import type { Provenance, Track } from '../model/track.ts';
import type { Verb } from '../model/verb.ts';
import type { Zone } from '../model/zone.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import type { ControlSettings } from './authority.ts';

/** A straight leg of a vehicle. It begins at `from`, by default at the vehicle's present position. */
export type Leg = { verb: Verb; from?: Geodetic; to: Geodetic; speedMps: number | null; standoffM?: number };

/** Dependencies of commands and guidance. */
export type ControlDeps = {
  fleet: Fleet;
  state: State;
  ledger: Ledger;
  workspaceId: string;
  control: ControlSettings;
  /** Provenance of the world in which commands are given. */
  provenance: Provenance;
  nowMs(): number;
  utcMs(worldMs: number): number;
  /** Converts UTC to world time, ms. */
  worldMs(utcMs: number): number;
  policy(): DecisionPolicy;
  track(id: string): Track | undefined;
  zone(id: string): Zone | undefined;
  asset(id: string): { id: string; name: string } | null;
  /** Returns the asset id of the simulated vehicle with this name; null if there is none. */
  simulatedVehicleId(name: string): string | null;
  performance(assetId: string): PlatformPerformance;
  /** Returns the cruise speed of a vehicle for commands that give no speed, limited by the policy, m/s. */
  speedOf(vehicle: Vehicle, figures: PlatformPerformance): number;
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /**
   * Returns why a vehicle must not fly a leg; null if it may. `sent`: legs of other vehicles that are sent before this
   * vehicle.
   */
  legRefusal(vehicle: Vehicle, assetId: string, leg: Leg, sent?: ReadonlyMap<Vehicle, Leg>): Refusal | null;
  /** Like `legRefusal`, but without the check of energy. Guidance calls this for each leg that it considers. */
  legBlocked(vehicle: Vehicle, assetId: string, leg: Leg): Refusal | null;
  publish: {
    command(command: Command): void;
    task(task: Task): void;
  };
  note: FleetDeps['note'];
};

/** Sender of a command: a person, a key, a caller on the open surface, or the service itself. */
export type Ask = {
  /** The key that sends the command; null for other senders. */
  key: { mayCommand: boolean } | null;
  by: Actor;
  operator: string | null;
  why: string | null;
  engagementId: string | null;
};
