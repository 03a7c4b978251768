import type { ControlSettings } from '../command/authority.ts';
import type { Actor, Role } from '../model/actor.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { DoctrineBody } from '../model/doctrine.ts';
import type { Engagement, PlanLeg, StopAll } from '../model/engagement.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import type { FleetRow, Refusal } from '../model/fleet.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { PayloadSpec } from '../model/payload.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Autonomy } from '../model/posture.ts';
import type { Task } from '../model/task.ts';
import type { Threat } from '../model/threat.ts';
import type { Track } from '../model/track.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';

/** A vehicle as planning uses it: its row, its payloads, and its performance including the values of its model. */
export type PlanVehicle = {
  row: FleetRow;
  performance: PlatformPerformance;
  payloads: readonly PayloadSpec[];
  /** Remaining flight time, s; null if not known. */
  enduranceS: number | null;
};

/** Cost of a leg along its real path, which the planner approximates by a straight line. */
type LegEnergy = { etaS: number | null; afterPct: number | null; closestM: number | null };

/** Starts and cancels the tasks of legs. */
type TaskStarter = {
  /**
   * Starts the task of a leg. Throws a `Fault` if no order can reach the vehicle. It may publish the new task before it
   * returns.
   */
  start(leg: PlanLeg, of: { engagementId: string; by: Actor; reason: string | null }): Promise<Task>;
  /** Rejects with a `conflict` if the task is already over. */
  cancel(taskId: string, reason: string): Promise<void>;
  /**
   * Orders a vehicle home after its take-off, because the next leg cannot be flown. Does nothing if we do not control
   * the vehicle.
   */
  comeHome(assetId: string, reason: string): void;
  onChange(listener: (task: Task) => void): void;
  /** Returns the running task of a vehicle's camera; null if there is none. */
  ofCamera(assetId: string): Pick<Task, 'engagement_id'> | null;
};

export type EngagementDeps = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  control: ControlSettings;
  fleet(): readonly PlanVehicle[];
  tracks(): readonly Track[];
  track(id: string): Track | undefined;
  threats(): readonly Threat[];
  threat(trackId: string): Threat | undefined;
  /** Returns the current role of a user in the workspace; null if the user is no member. */
  roleOf(userId: string): Role | null;
  policy(): { policy: DecisionPolicy; version: number };
  doctrine(): { body: DoctrineBody; version: number };
  /** World time, ms. Never set back or forward by a change of the wall clock. */
  nowMs(): number;
  utcMs(): number;
  /**
   * Time since a newer picture replaced the one with this sequence number, ms; 0 for the newest picture. Null if the
   * number is unknown, too old, or of another epoch. `epoch` null means the present epoch.
   */
  pictureSeqAgeMs(seq: number, epoch: string | null): number | null;
  /**
   * Returns why a leg must be refused, or null. `liftoff` is the take-off before the leg; null without one. `before`
   * are the earlier legs of the plan, of other vehicles.
   */
  check(leg: PlanLeg, liftoff: PlanLeg | null, before: readonly PlanLeg[]): Refusal | null;
  /** Returns the cost of a leg along its real path; null if the planner's own estimate is to be used. */
  energy(leg: PlanLeg): LegEnergy | null;
  /** Returns the risks of a leg that may be flown, in sentences. */
  risks(leg: PlanLeg, liftoff: PlanLeg | null): readonly string[];
  tasks: TaskStarter;
  /**
   * Ends the commands of all adopted vehicles, except returns and landings, and orders the vehicles to hold. A vehicle
   * that returns, lands, follows a failsafe or is flown by its pilot gets no order.
   */
  holdAll(by: Actor, reason: string): Promise<StopAll['platforms']>;
  publish: {
    engagement(row: Engagement): void;
    autonomy(effective: Autonomy): void;
    note(kind: LogKind, severity: Severity, text: string, subject: LogEvent['subject']): void;
  };
  /** Reports a failure of a disk or a vehicle if no caller waits for the result; `text` says what was not done. */
  trouble(thrown: unknown, text: string): void;
};

/**
 * The sender of a decision: a signed-in person, an API key, or a user of the open surface. `userId` is null without
 * sign-in.
 */
export type Decider = { actor: Actor; role: Role; userId: string | null; isKey: boolean };

export type MatrixRow = DoctrineBody['postures'][number]['matrix'][number];
export type Release = DoctrineBody['release_table'][number];
export type PlanningProfile = DoctrineBody['planning_profiles'][number];
