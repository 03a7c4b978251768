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
  /** Positions of `places` as metres east, north and up from the scenario's origin. */
  spots: Spots;
  /** Tracks of each true object, by the object's id. They follow the object, or are at the position that it claims. */
  tracksOf: ReadonlyMap<string, readonly Track[]>;
  levelOf(trackId: string): ThreatLevel;
};

/** A change of a task, or of a command that has no task. */
export type Act = {
  atS: number;
  verb: Verb;
  state: CommandState;
  /** Phase of the task; null for a command without a task. */
  phase: Task['phase'] | null;
  reason: string | null;
  /** Actor of the commanded vehicle; null for an asset that is not part of the scenario. */
  actorId: string | null;
  /**
   * Id of the true object that the task's parameters name: the object of their track, or the actor of their asset; null
   * for none.
   */
  aboutId: string | null;
};

/** Results of a run that are known only at its end. A watcher gets them in addition to what it observed. */
export type RunEnd = {
  metrics: RunMetrics;
  log: AlertLog;
  judge: AlertJudge;
  beginMs: number;
  /** Orders of the scenario that could not be carried out. */
  refused: readonly RefusedOrder[];
};

export type Of<Kind extends Expectation['kind']> = Extract<Expectation, { kind: Kind }>;

/** Observes a run for one expectation of its scenario. */
export type Watcher = {
  evaluate?(sighting: Sighting): void;
  act?(act: Act): void;
  result(end: RunEnd): RunExpectation;
  /** Id of the actor about which this expectation requires an alert; absent for none. */
  dueFor?: string;
  /** Returns true if this expectation requires the alert. */
  asksFor?(alert: ReportedAlert, judge: AlertJudge): boolean;
};

export function unmet(text: string): RunExpectation {
  return { text, met: false };
}

/**
 * Returns the result of an expected event that happened at `atS`. It is met if `atS` is at most `byS`, or if no `byS`
 * is given.
 */
export function reached(what: string, atS: number, byS = Number.POSITIVE_INFINITY): RunExpectation {
  const allowed = Number.isFinite(byS) ? `; ${seconds(byS)} were allowed` : '';
  return { text: `${what} after ${seconds(atS)}${allowed}`, met: atS <= byS };
}

/** Returns a text about the time limit of an event that did not happen; empty without a limit. */
export function within(byS: number | undefined): string {
  return byS === undefined ? '' : ` within ${seconds(byS)}`;
}

export function seconds(valueS: number): string {
  return `${figure(valueS)} s`;
}

/** Formats a number: at most three decimals below 1, one below 100, none from 100 on. */
export function figure(value: number): string {
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return String(Number(value.toFixed(digits)));
}
