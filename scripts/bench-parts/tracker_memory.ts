import { ROW_WIDTH } from '../../src/model/track_row.ts';
import { RadarSky } from '../../test/support/sky/radar_sky.ts';
import { collectGarbage } from './garbage.ts';
import type { Row } from './row.ts';
import { TrackerRun } from './tracker_run.ts';

const TRACKS = 10_000;
const SECONDS = 10;

/** What the native tracker holds for each of as many tracks as it has room for, its history of seconds included. */
export function benchTrackerMemory(): Row[] {
  const sky = new RadarSky({ aircraft: TRACKS, seed: 1, falsePlots: 0 });
  const seconds = Array.from({ length: SECONDS }, (_, s) => sky.second(s));
  const before = residentBytes();
  const run = new TrackerRun(sky, TRACKS);
  let told = 0;
  seconds.forEach((rows, s) => {
    told = run.step(rows, sky.arrivalS(s)).length / ROW_WIDTH;
  });
  const bytes = residentBytes() - before;
  return [
    { name: `tracks told of ${TRACKS} there is room for`, value: told, unit: '' },
    { name: 'resident for each (hot state at most 512 of it)', value: bytes / TRACKS, unit: 'bytes' },
  ];
}

function residentBytes(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}
