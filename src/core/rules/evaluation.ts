import type { ClearedReason } from '../../model/alert.ts';
import type { AlertSeverity } from '../../model/firing.ts';
import type { RuleField } from '../../model/rule_fields.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { AssetFact, SensorFact, TrackFacts, ZoneFact } from './facts.ts';

/** Empty set of ids of tracks or sensors. */
export const nobody: ReadonlySet<string> = new Set();

/** Input of one evaluation of the rules. */
export type Evaluation = {
  nowMs: number;
  /** Tracks that may raise an alert, by number, without those hidden by the flood. */
  tracks: readonly TrackFacts[];
  /** Like `tracks`, with those in ignore zones and dismissed ones: for rules that keep our own vehicles safe. */
  present: readonly TrackFacts[];
  /** Ids of those among `present` that a person dismissed. */
  dismissed: ReadonlySet<string>;
  /** Members of the flood of fakes, by number. */
  flood: readonly TrackFacts[];
  sensors: readonly SensorFact[];
  /** Ids of the active zones; absent where not known. */
  zoneIds?: ReadonlySet<string> | undefined;
  /** Finds any track, also one that may raise no alert. */
  find(id: string): TrackFacts | undefined;
  assets: ReadonlyMap<string, AssetFact>;
  /** The `tracks` that fly together, by group id. */
  groups: ReadonlyMap<string, readonly TrackFacts[]>;
  /** Whether the field of a track has another value than at the last evaluation. */
  changed(id: string, field: RuleField): boolean;
};

/** Receives each track or sensor for which a rule holds. */
export type Hits = {
  track(track: TrackFacts, zone: ZoneFact | null): void;
  sensor(sensor: SensorFact): void;
};

/** Members of an event for which the rule holds now, in order of the time for which it has held, the longest first. */
export type EventFacts = {
  tracks: readonly TrackFacts[];
  sensors: readonly SensorFact[];
  /** Relation of the first member to the zone that the event is about. */
  zone: ZoneFact | null;
  isFlood: boolean;
  /** Name of the event's subject in texts. */
  label: string;
};

/** Evaluator of one rule: its matches, their severity, and their texts. */
export type Finder = {
  find(evaluation: Evaluation, hits: Hits): void;
  severity?(zone: ZoneFact | null): AlertSeverity;
  say(published: EventFacts): string;
  /** Whether the rule also holds for tracks that a person dismissed. */
  readonly evenDismissed?: true;
  /** Whether its alert is raised again even during the rule's cool-down: a lasting fault must not be hidden. */
  readonly evenCool?: true;
  /** Whether newcomers within a short time are one event even where nothing shows that they fly together. */
  readonly gathers?: true;
  /** Why the rule no longer holds for a track that is still seen and still a stranger; by default `left`. */
  ends?(track: TrackFacts, isInside: boolean): ClearedReason;
  /** Text of an end because the subject `left` or `recovered`; `label` names the subject. */
  over(label: string, because: 'left' | 'recovered'): string;
};

/** Makes the finder of a built-in rule from the rule's settings. */
export type Builtin = (rule: RuleValue, parameter: (name: string) => number) => Finder;
