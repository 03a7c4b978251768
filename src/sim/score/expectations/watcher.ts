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

/** Truth and picture at one moment, joined to each other. */
export type Sighting = {
  /** Since the run began. */
  atS: number;
  places: readonly TruePlace[];
  /** Positions of `places`, in metres about the scenario's origin. */
  spots: Spots;
  /** Tracks of each truth object by its id: those that follow it, or show where it claims to be. */
  tracksOf: ReadonlyMap<string, readonly Track[]>;
  levelOf(trackId: string): ThreatLevel;
};

/** A step of a task, or of a command outside any task, with the actors of the scenario that it concerns. */
export type Act = {
  atS: number;
  verb: Verb;
  state: CommandState;
  /** Null for a command outside any task. */
  phase: Task['phase'] | null;
  reason: string | null;
  /** The actor that flies the vehicle; null for an asset from outside the scenario. */
  actorId: string | null;
  /** The actor or the asset that the expectation is about. */
  aboutId: string | null;
};

/** Facts of a run that are known at its end, besides what the watcher saw during it. */
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

/** Outcome of an event that came after `atS`: met where the expectation allowed so long, or named no time. */
export function reached(what: string, atS: number, byS = Number.POSITIVE_INFINITY): RunExpectation {
  const allowed = Number.isFinite(byS) ? `; ${seconds(byS)} were allowed` : '';
  return { text: `${what} after ${seconds(atS)}${allowed}`, met: atS <= byS };
}

/** Time limit of an event that never came. */
export function within(byS: number | undefined): string {
  return byS === undefined ? '' : ` within ${seconds(byS)}`;
}

export function seconds(valueS: number): string {
  return `${figure(valueS)} s`;
}

/** Rounded to a tenth below 100 and to a thousandth below 1. */
export function figure(value: number): string {
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return String(Number(value.toFixed(digits)));
}
