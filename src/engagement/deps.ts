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

/** A vehicle as planning uses it: its row, and its performance after inheriting from its model. */
export type PlanVehicle = {
  row: FleetRow;
  performance: PlatformPerformance;
  payloads: readonly PayloadSpec[];
  /** Flight time left, s; null where it is not known. */
  enduranceS: number | null;
};

/** Cost of a leg, computed with its real path instead of the planner's straight line. */
type LegEnergy = { etaS: number | null; afterPct: number | null; closestM: number | null };

/** Starts and ends the tasks of legs. */
type TaskStarter = {
  /**
   * Starts a leg. Throws a Fault where no order can reach the vehicle. No change of the task is published before it
   * returns.
   */
  start(leg: PlanLeg, of: { engagementId: string; by: Actor; reason: string | null }): Promise<Task>;
  cancel(taskId: string, reason: string): void;
  /** Orders a vehicle home that took off for a leg which cannot be flown now. */
  comeHome(assetId: string, reason: string): void;
  onChange(listener: (task: Task) => void): void;
};

/** Dependencies of the engagements. */
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
  /** The role of a user in the workspace at this moment; null for a user who is no member. */
  roleOf(userId: string): Role | null;
  policy(): { policy: DecisionPolicy; version: number };
  doctrine(): { body: DoctrineBody; version: number };
  /** World time, which never steps. */
  nowMs(): number;
  utcMs(): number;
  /**
   * Time since the picture of this sequence number was replaced by a newer one, ms. Null where the number is unknown,
   * too old, or of another epoch. Without an epoch the number counts as one of the present epoch.
   */
  pictureSeqAgeMs(seq: number, epoch: string | null): number | null;
  /**
   * Refusal of a leg now, or after its take-off `liftoff`, once the vehicles of the legs `before` were sent. Null where
   * nothing is against it.
   */
  check(leg: PlanLeg, liftoff: PlanLeg | null, before: readonly PlanLeg[]): Refusal | null;
  /** Cost of a leg by its real path; null leaves it to the planner's own estimate. */
  energy(leg: PlanLeg): LegEnergy | null;
  /** Risks of a leg that may be flown, in sentences. */
  risks(leg: PlanLeg, liftoff: PlanLeg | null): readonly string[];
  tasks: TaskStarter;
  /** Ends all commands and tasks of own vehicles and orders them to hold. */
  holdAll(by: Actor, reason: string): Promise<StopAll['platforms']>;
  publish: {
    engagement(row: Engagement): void;
    autonomy(effective: Autonomy): void;
    note(kind: LogKind, severity: Severity, text: string, subject: LogEvent['subject']): void;
  };
  /** Reports a failure of a disk or a vehicle for which no caller waits. */
  trouble(thrown: unknown, what: string): void;
};

/** Sender of a decision: a person who signed in, a key, or a user of the open surface. */
export type Decider = { actor: Actor; role: Role; userId: string | null; isKey: boolean };

export type MatrixRow = DoctrineBody['postures'][number]['matrix'][number];
export type Release = DoctrineBody['release_table'][number];
export type PlanningProfile = DoctrineBody['planning_profiles'][number];
