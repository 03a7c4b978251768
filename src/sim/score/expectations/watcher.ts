import type { CommandState } from '../../../model/command.ts';
import type { ThreatLevel } from '../../../model/posture.ts';
import type { RunExpectation, RunMetrics } from '../../../model/run.ts';
import type { Expectation } from '../../../model/scenario.ts';
import type { Task } from '../../../model/task.ts';
import type { Track } from '../../../model/track.ts';
import type { Verb } from '../../../model/verb.ts';
import type { RefusedOrder } from '../../scenarios/orders.ts';
import type { AlertLog, ReportedAlert } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Spots } from '../near_pairs.ts';
import type { TruePlace } from '../truth.ts';

/** Truth and picture at one moment, with the tracks of each true object. */
export type Sighting = {
  /** Time since the beginning of the run, s. */
  atS: number;
  places: readonly TruePlace[];
  /** Positions of `places`, in metres about the scenario's origin. */
  spots: Spots;
  /** Tracks of each true object by its id. They follow the object, or are at the position that it claims. */
  tracksOf: ReadonlyMap<string, readonly Track[]>;
  levelOf(trackId: string): ThreatLevel;
};

/** A step of a task, or of a command without a task, with the actors of the scenario that it concerns. */
export type Act = {
  atS: number;
  verb: Verb;
  state: CommandState;
  /** Phase of the task; null for a command without a task. */
  phase: Task['phase'] | null;
  reason: string | null;
  /** The actor of the commanded vehicle; null for an asset that is not of the scenario. */
  actorId: string | null;
  /** The actor or asset that the task is about. */
  aboutId: string | null;
};

/** Facts that are known at the end of a run, in addition to the watcher's observations. */
export type RunEnd = {
  metrics: RunMetrics;
  log: AlertLog;
  judge: AlertJudge;
  beginMs: number;
  /** Orders of the scenario that were not carried out. */
  refused: readonly RefusedOrder[];
};

export type Of<Kind extends Expectation['kind']> = Extract<Expectation, { kind: Kind }>;

/** Observes a run for one expectation of its scenario. */
export type Watcher = {
  evaluate?(sighting: Sighting): void;
  act?(act: Act): void;
  result(end: RunEnd): RunExpectation;
  /** The actor about which this expectation requires an alert. */
  dueFor?: string;
  /** Whether this expectation requires the alert. */
  asksFor?(alert: ReportedAlert, judge: AlertJudge): boolean;
};

export function unmet(text: string): RunExpectation {
  return { text, met: false };
}

/** Outcome of an event at `atS`; it is met where the event was in time, or no time was given. */
export function reached(what: string, atS: number, byS = Number.POSITIVE_INFINITY): RunExpectation {
  const allowed = Number.isFinite(byS) ? `; ${seconds(byS)} were allowed` : '';
  return { text: `${what} after ${seconds(atS)}${allowed}`, met: atS <= byS };
}

/** Text of the time limit of an event that did not happen. */
export function within(byS: number | undefined): string {
  return byS === undefined ? '' : ` within ${seconds(byS)}`;
}

export function seconds(valueS: number): string {
  return `${figure(valueS)} s`;
}

/** A number as text, with one decimal below 100 and three below 1. */
export function figure(value: number): string {
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return String(Number(value.toFixed(digits)));
}
