import { Core } from '../../core/core.ts';
import type { SensorValue } from '../../core/tracking/settings.ts';
import { trackerSettings } from '../../core/tracking/tracker.ts';
import type { Geodetic } from '../../geo/position.ts';
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
  make(settings: TrackerSettings, origin: Geodetic): TrackingCore;
};

/** Tracks that a scenario may hold at once. */
const MAX_TRACKS = 20_000;

/** The core that `dunlin track` runs: the daemon's own. */
export const coreMaker: CoreMaker = {
  settingNames: Object.keys(trackerSettings),
  make(tuning, origin) {
    const { confirm_hits = 2, confirm_window_s = 10, coast_s = 5, lost_s = 22, close_s = 600 } = trackerSettings;
    const lives = { confirmHits: confirm_hits, confirmWindowS: confirm_window_s, coastS: coast_s };
    const ends = { lostS: lost_s, closeS: close_s, maxTracks: MAX_TRACKS };
    return new Core({ ...lives, ...ends, tuning, origin }, new Uint8Array(8), 0);
  },
};
