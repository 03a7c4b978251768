import type { ClearedReason } from '../../model/alert.ts';
import type { AlertSeverity } from '../../model/firing.ts';
import type { RuleField } from '../../model/rule_fields.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { AssetFact, SensorFact, TrackFacts, ZoneFact } from './facts.ts';

/** No track and no sensor. */
export const nobody: ReadonlySet<string> = new Set();

/** Input of one evaluation of the rules. */
export type Evaluation = {
  nowMs: number;
  /** Tracks that may raise something, by number; without those in the flood. */
  tracks: readonly TrackFacts[];
  /** The same with those in clutter and those that were dismissed: for rules that keep our own vehicles safe. */
  present: readonly TrackFacts[];
  /** Ids of those among `present` that a person dismissed. */
  dismissed: ReadonlySet<string>;
  /** Members of the flood of fakes, by number. */
  flood: readonly TrackFacts[];
  sensors: readonly SensorFact[];
  /** Zones that hold; absent where that is not known. */
  zoneIds?: ReadonlySet<string> | undefined;
  /** Any track, also one that may raise nothing. */
  find(id: string): TrackFacts | undefined;
  assets: ReadonlyMap<string, AssetFact>;
  /** The tracks above that fly together. */
  groups: ReadonlyMap<string, readonly TrackFacts[]>;
  /** Whether it is another than at the look before. */
  changed(id: string, field: RuleField): boolean;
};

/** EventFacts of each track or sensor of which a rule holds. */
export type Hits = {
  track(track: TrackFacts, zone: ZoneFact | null): void;
  sensor(sensor: SensorFact): void;
};

/** Subjects of an event: those that the rule holds for now, the longest first. */
export type EventFacts = {
  tracks: readonly TrackFacts[];
  sensors: readonly SensorFact[];
  /** Relation of the first of them to the zone that the event is about. */
  zone: ZoneFact | null;
  isFlood: boolean;
  /** Subject of the event, in a word. */
  label: string;
};

/** Evaluator of one rule: its matches, their severity, and their texts. */
export type Finder = {
  find(evaluation: Evaluation, hits: Hits): void;
  severity?(zone: ZoneFact | null): AlertSeverity;
  say(published: EventFacts): string;
  /** The rule also holds for tracks that a person dismissed. */
  readonly evenDismissed?: true;
  /** An alert of it is taken up again during the cool-down of the rule: a lasting fault is not to be hidden. */
  readonly evenCool?: true;
  /** Newcomers within a short time are one event although nothing says that they fly together. */
  readonly gathers?: true;
  /** Why it holds no longer for a track that is seen and a stranger as before; by default `left`. */
  ends?(track: TrackFacts, isInside: boolean): ClearedReason;
  /** Text of an end because the subject `left` or `recovered`; `label` names the subject. */
  over(label: string, because: 'left' | 'recovered'): string;
};

/** A built-in rule makes its finder of what people set of it. */
export type Builtin = (rule: RuleValue, parameter: (name: string) => number) => Finder;
