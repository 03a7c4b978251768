import type { TrackingSettings } from '../../src/core/tracking/settings.ts';
import { defaultConfig } from '../../src/host/config.ts';

/** What a box tracks by unless its owner says otherwise, with room for `maxTracks`. */
export function trackingSettings(maxTracks: number): TrackingSettings {
  const { tracking } = defaultConfig();
  return {
    confirmHits: tracking.confirm_hits,
    confirmWindowS: tracking.confirm_window_s,
    coastS: tracking.coast_s,
    lostS: tracking.lost_s,
    closeS: tracking.close_s,
    maxTracks,
  };
}

/** Room for all aircraft and for what false plots begin. */
export function slotsFor(aircraft: number): number {
  return 2 * aircraft + 1_000;
}
