import { Core } from '../../core/core.ts';
import { trackerSettings } from '../../core/tracker.ts';
import type { CoreMaker } from './core_port.ts';

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
