import { Core } from '../../core/core.ts';
import type { SensorValue } from '../../core/tracking/settings.ts';
import { trackerSettings } from '../../core/tracking/tracker.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { ObservationBatch } from '../../model/observation_row.ts';
import type { CoreOutput } from '../../model/track_row.ts';

/** Part of the core's interface that a run over a scenario needs. */
export type TrackingCore = {
  setSensors(sensors: readonly SensorValue[]): void;
  step(batch: ObservationBatch, nowMs: number): CoreOutput;
  /** True if rows of tracks are left for a further step, which must follow at once. */
  readonly rowsWait: boolean;
};

/** Settings of the tracker by name, as a policy can set them. */
export type TrackerSettings = Readonly<Record<string, number>>;

export type CoreMaker = {
  /** Names of the settings that a policy can set. */
  settingNames: readonly string[];
  /** Creates a core. `settings` replace its defaults, and `origin` is the origin of its axes. */
  make(settings: TrackerSettings, origin: Geodetic): TrackingCore;
};

/** Limit of simultaneous tracks in a scenario. */
const MAX_TRACKS = 20_000;

/** Creates the core that `dunlin track` runs. It is the same core as in the daemon. */
export const coreMaker: CoreMaker = {
  settingNames: Object.keys(trackerSettings),
  make(tuning, origin) {
    const { confirm_hits = 2, confirm_window_s = 10, coast_s = 5, lost_s = 22, close_s = 600 } = trackerSettings;
    const lives = { confirmHits: confirm_hits, confirmWindowS: confirm_window_s, coastS: coast_s };
    const ends = { lostS: lost_s, closeS: close_s, maxTracks: MAX_TRACKS };
    return new Core({ ...lives, ...ends, tuning, origin }, new Uint8Array(8), 0);
  },
};
