import { Tracker } from '../../src/core/tracking/tracker.ts';
import { ANSWER, OBSERVED } from '../../src/model/rows/layouts.ts';
import { RADAR_PLACE } from '../../test/support/sky/radar.ts';
import type { RadarSky } from '../../test/support/sky/radar_sky.ts';
import { trackingSettings } from './tracker_setup.ts';

const none = new Float64Array(0);

/** The native tracker under a sky's load, a second at a time. */
export class TrackerRun {
  readonly #tracker: Tracker;
  readonly #maxTracks: number;
  /** Reports that went to a track so far, and those that were turned away. */
  taken = 0;
  refused = 0;

  constructor(sky: RadarSky, maxTracks: number) {
    this.#maxTracks = maxTracks;
    this.#tracker = new Tracker(trackingSettings(maxTracks), RADAR_PLACE, 0);
    for (const sensor of sky.sensors()) this.#tracker.setSensor(sensor);
  }

  /** Takes a second's rows; with `nowS`, tells the rows of all tracks that changed: a view that holds until the next step. */
  step(rows: Float64Array, nowS = Number.NaN): Float64Array {
    const most = Tracker.maxRows * OBSERVED.width;
    for (let from = 0; from < rows.length; from += most) {
      const last = from + most >= rows.length;
      this.#count(this.#tracker.step(rows.subarray(from, from + most), last ? nowS : Number.NaN).answers);
    }
    return Number.isNaN(nowS) ? none : this.#tracker.report(nowS, none, this.#maxTracks);
  }

  #count(answers: Float64Array): void {
    for (let at = 0; at < answers.length; at += ANSWER.width) {
      if ((answers[at + ANSWER.number] ?? 0) > 0) this.taken++;
      else this.refused++;
    }
  }
}
