import type { ObservationBatch } from '../model/observation_row.ts';
import type { CoreOutput, RestoredTrack } from '../model/track_row.ts';
import type { SensorValue, TrackingSettings, TrackLife } from './settings.ts';

/** What a core is begun with. */
export type CoreBeginning = {
  settings: TrackingSettings;
  seed: Uint8Array;
  lastNumber: number;
  sensors: readonly SensorValue[];
  restored: readonly RestoredTrack[];
};

/** From the world to the worker that runs the core. */
export type ToCore =
  | { kind: 'sensors'; sensors: readonly SensorValue[] }
  | { kind: 'step'; batch: ObservationBatch; nowMs: number }
  | { kind: 'life'; life: TrackLife }
  | { kind: 'drop'; number: number }
  | { kind: 'end' };

/** And back: one output for each step, in order, with the time that the step took. */
export type FromCore = { kind: 'ready' } | { kind: 'output'; output: CoreOutput; tookMs: number };
