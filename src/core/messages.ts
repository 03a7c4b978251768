import type { AssessedThreat, TrackWord } from '../model/assessment.ts';
import type { ObservationBatch } from '../model/observation_row.ts';
import type { RuleValue } from '../model/rule_value.ts';
import type { CoreOutput, RestoredTrack } from '../model/track_row.ts';
import type { AssessPolicy, AssessSite } from './assess/configuration.ts';
import type { SensorFact } from './rules/facts.ts';
import type { SensorValue, TrackingSettings, TrackLife } from './tracking/settings.ts';

/** Initial configuration of a core. */
export type CoreBeginning = {
  settings: TrackingSettings;
  seed: Uint8Array;
  lastNumber: number;
  sensors: readonly SensorValue[];
  restored: readonly RestoredTrack[];
  assess: {
    policy: AssessPolicy;
    site: AssessSite;
    words: readonly TrackWord[];
    rules: readonly RuleValue[];
    sensors: readonly SensorFact[];
  };
};

/**
 * Settings of the core. Each message replaces the previous one of the same kind. The exception is `words` (decisions
 * about tracks), which replaces only those of the listed tracks.
 */
export type CoreSetting =
  | { kind: 'sensors'; sensors: readonly SensorValue[] }
  | { kind: 'life'; life: TrackLife }
  | { kind: 'policy'; policy: AssessPolicy }
  | { kind: 'site'; site: AssessSite }
  | { kind: 'rules'; rules: readonly RuleValue[] }
  | { kind: 'sensor_states'; sensors: readonly SensorFact[] }
  | { kind: 'words'; words: readonly TrackWord[] };

/** Messages from the world to the worker that runs the core. */
export type ToCore =
  | CoreSetting
  | { kind: 'step'; batch: ObservationBatch; nowMs: number }
  | { kind: 'change'; id: number; change: PersonsChange; nowMs: number }
  /** Requests the scores of tracks under another policy; `numbers` null means all tracks. */
  | { kind: 'preview'; id: number; policy: AssessPolicy; numbers: readonly number[] | null; nowMs: number }
  | { kind: 'end' };

/** A person's change to tracks, identified by track number. */
export type PersonsChange = { what: 'drop'; number: number } | { what: 'merge'; number: number; into: number };
export type MergeOutcome = 'done' | 'not_there' | 'two_claims';

/** Messages from the worker to the world. Each step has one output, in order, with the time that the core took. */
export type FromCore =
  | { kind: 'ready' }
  | { kind: 'output'; output: CoreOutput; tookMs: number }
  /** Outcome of a person's change, and the output with the rows that it changed. */
  | { kind: 'changed'; id: number; outcome: MergeOutcome; output: CoreOutput }
  | { kind: 'previewed'; id: number; threats: AssessedThreat[] };
