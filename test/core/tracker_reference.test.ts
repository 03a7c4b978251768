import t from 'tap';
import { TrackerRun } from '../../scripts/bench-parts/tracker_run.ts';
import { LocalFrame } from '../../src/geo/local_frame.ts';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { ROW_WIDTH, stateCodes } from '../../src/model/track_row.ts';
import { referenceTrackerOf } from '../support/references/tracker/tracker_of_sky.ts';
import { RADAR_PLACE } from '../support/sky/radar.ts';
import { RadarSky } from '../support/sky/radar_sky.ts';

const SCANS = 30;
const AIRCRAFT = 40;

for (const seed of [1, 2, 3]) {
  t.test(`the reference tracker follows the same aircraft to the same places (sky ${seed})`, async (t) => {
    const sky = new RadarSky({ aircraft: AIRCRAFT, seed, sideM: 6_000, falsePlots: 5 });
    const native = new TrackerRun(sky, 1_000);
    const reference = referenceTrackerOf(sky, 1_000);
    let told: Float64Array = new Float64Array(0);
    for (let s = 0; s < SCANS; s++) {
      const rows = sky.second(s);
      reference.scan(rows);
      told = native.step(rows, sky.arrivalS(s)).slice();
    }
    const theirs = confirmedIn(told);
    const ours = reference.confirmed(sky.arrivalS(SCANS - 1));
    t.ok(theirs.length > AIRCRAFT * 0.9, `${theirs.length} aircraft are followed`);
    t.equal(ours.length, theirs.length, 'by both');
    const apart = Math.max(...theirs.map((place) => Math.min(...ours.map((other) => distance(place, other)))));
    t.ok(apart < 1, `and at most ${apart.toFixed(6)} m apart`);
  });
}

/** East, north and up of the confirmed tracks told, m. */
function confirmedIn(told: Float64Array): number[][] {
  const frame = new LocalFrame(RADAR_PLACE.latDeg, RADAR_PLACE.lonDeg, RADAR_PLACE.altHaeM);
  const places: number[][] = [];
  for (let at = 0; at < told.length; at += ROW_WIDTH) {
    const state = stateCodes[told[at + TRACK.state] ?? -1];
    if (state !== 'confirmed' && state !== 'coasting') continue;
    const [lat = 0, lon = 0, alt = 0] = told.subarray(at + TRACK.latDeg, at + TRACK.altHaeM + 1);
    const { eastM: east, northM: north, upM: up } = frame.toEnu(lat, lon, alt);
    places.push([east, north, up]);
  }
  return places;
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}
