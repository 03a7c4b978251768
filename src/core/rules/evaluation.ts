import type { ClearedReason } from '../../model/alert.ts';
import type { AlertSeverity } from '../../model/firing.ts';
import type { RuleField } from '../../model/rule_fields.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { AssetFact, SensorFact, TrackFacts, ZoneFact } from './facts.ts';

/** Empty set of track or sensor ids. */
export const nobody: ReadonlySet<string> = new Set();

/** Inputs of one evaluation of the rules. */
export type Evaluation = {
  nowMs: number;
  /**
   * Tracks that may raise an alert, sorted by number. Excludes tracks that are tentative, closed, hidden by the flood,
   * in ignore zones, or dismissed.
   */
  tracks: readonly TrackFacts[];
  /**
   * All of `tracks`, and also dismissed tracks and tracks in ignore zones. Rules about own vehicles and about copied
   * serials use this list.
   */
  present: readonly TrackFacts[];
  /** Ids of dismissed tracks in `present`. */
  dismissed: ReadonlySet<string>;
  /** Members of the flood, sorted by number. */
  flood: readonly TrackFacts[];
  sensors: readonly SensorFact[];
  /** Ids of the active zones; absent if not known. */
  zoneIds?: ReadonlySet<string> | undefined;
  /** Finds any track by id, even one that may not raise an alert. */
  find(id: string): TrackFacts | undefined;
  assets: ReadonlyMap<string, AssetFact>;
  /** Groups among `tracks`, by group id. */
  groups: ReadonlyMap<string, readonly TrackFacts[]>;
  /** Whether the value of a field changed since the last evaluation. `id` is that of the track or sensor. */
  changed(id: string, field: RuleField): boolean;
};

/** Called for each track or sensor that a rule matches. */
export type Hits = {
  track(track: TrackFacts, zone: ZoneFact | null): void;
  sensor(sensor: SensorFact): void;
};

/**
 * Facts for the text of an event. `tracks` and `sensors` are the members that the rule matches now, in the order in
 * which they joined.
 */
export type EventFacts = {
  tracks: readonly TrackFacts[];
  sensors: readonly SensorFact[];
  /** Relation of the first member to the zone of the event; null if the event has no zone. */
  zone: ZoneFact | null;
  isFlood: boolean;
  /** Name of the event's subject in texts. */
  label: string;
};

/** Evaluator of one rule: finds what the rule matches, and gives severity and texts. */
export type Finder = {
  find(evaluation: Evaluation, hits: Hits): void;
  severity?(zone: ZoneFact | null): AlertSeverity;
  say(published: EventFacts): string;
  /** Whether the rule also matches tracks that a person dismissed. */
  readonly evenDismissed?: true;
  /** True if alerts of the rule have no cool-down, because a recurring fault must not be hidden. */
  readonly evenCool?: true;
  /**
   * True if all subjects that the rule matches within a short time form one event, even if they do not fly together.
   */
  readonly gathers?: true;
  /**
   * Returns why the rule no longer matches a track that still exists and did not become a friend. Without this
   * function, the reason is `left`.
   */
  ends?(track: TrackFacts, isInside: boolean): ClearedReason;
  /** Text for an end with the reason `left` or `recovered`. `label` names the subject. */
  over(label: string, because: 'left' | 'recovered'): string;
};

/** Creates the finder of a built-in rule. `parameter` returns a parameter of the rule by its name. */
export type Builtin = (rule: RuleValue, parameter: (name: string) => number) => Finder;
