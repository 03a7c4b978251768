import type { Place, SensorValue } from '../../core/settings.ts';
import type { ObservationBatch } from '../../model/observation_row.ts';
import type { CoreOutput } from '../../model/track_row.ts';

/** The part of the core that a run over a scenario needs. */
export type TrackingCore = {
  setSensors(sensors: readonly SensorValue[]): void;
  step(batch: ObservationBatch, nowMs: number): CoreOutput;
  /** Rows of tracks wait for the steps that follow at once. */
  readonly rowsWait: boolean;
};

/** The tracker's settings by name, as a policy may set them. */
export type TrackerSettings = Readonly<Record<string, number>>;

export type CoreMaker = {
  /** Names that a policy may set. */
  settingNames: readonly string[];
  /** A core with these settings instead of its own, its axes at `origin`. */
  make(settings: TrackerSettings, origin: Place): TrackingCore;
};
