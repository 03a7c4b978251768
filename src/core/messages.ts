import type { AssessedThreat, TrackWord } from '../model/assessment.ts';
import type { ObservationBatch } from '../model/observation_row.ts';
import type { RuleValue } from '../model/rule_value.ts';
import type { CoreOutput, RestoredTrack } from '../model/track_row.ts';
import type { AssessPolicy, AssessSite } from './assess/briefed.ts';
import type { SensorFact } from './rules/facts.ts';
import type { SensorValue, TrackingSettings, TrackLife } from './settings.ts';

/** What a core is begun with. */
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

/** From the world to the worker that runs the core. */
export type ToCore =
  | { kind: 'sensors'; sensors: readonly SensorValue[] }
  | { kind: 'step'; batch: ObservationBatch; nowMs: number }
  | { kind: 'life'; life: TrackLife }
  | { kind: 'change'; id: number; change: PersonsChange; nowMs: number }
  | { kind: 'policy'; policy: AssessPolicy }
  | { kind: 'site'; site: AssessSite }
  | { kind: 'rules'; rules: readonly RuleValue[] }
  | { kind: 'sensor_states'; sensors: readonly SensorFact[] }
  | { kind: 'words'; words: readonly TrackWord[] }
  /** Of all tracks where `numbers` is null. */
  | { kind: 'preview'; id: number; policy: AssessPolicy; numbers: readonly number[] | null; nowMs: number }
  | { kind: 'end' };

/** What a person does to tracks, by their numbers. */
export type PersonsChange = { what: 'drop'; number: number } | { what: 'merge'; number: number; into: number };
export type MergeOutcome = 'done' | 'not_there' | 'two_claims';

/** And back: one output for each step, in order, with the time that the step took. */
export type FromCore =
  | { kind: 'ready' }
  | { kind: 'output'; output: CoreOutput; tookMs: number }
  /** What became of a person's change, with what it changed. */
  | { kind: 'changed'; id: number; outcome: MergeOutcome; output: CoreOutput }
  | { kind: 'previewed'; id: number; threats: AssessedThreat[] };
