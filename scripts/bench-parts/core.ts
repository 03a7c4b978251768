import { Core } from '../../src/core/core.ts';
import { Packer } from '../../src/core/thread/pack.ts';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import { defaultConfig } from '../../src/host/config.ts';
import type { Observation } from '../../src/model/observation.ts';
import { OBSERVED } from '../../src/model/rows/layouts.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';
import { macOf } from './senders.ts';

const SENSOR = '00000000-0000-8000-8000-00000000aaaa';
const HZ = 4;
/** What arrives together at some thousand observations a second. */
const BATCH = 4;

/** The core in this thread: what an observation costs it, packing included. */
export async function benchCore(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tracks of [10, 100, 1_000]) {
    rows.push({ name: `named observation among ${tracks} tracks`, value: coreCost(tracks, true), unit: 'µs' });
    rows.push({ name: `anonymous plot among ${tracks} tracks`, value: coreCost(tracks, false), unit: 'µs' });
  }
  return rows;
}

function coreCost(tracks: number, named: boolean): number {
  const { tracking } = defaultConfig();
  const core = new Core(
    {
      confirmHits: tracking.confirm_hits,
      confirmWindowS: tracking.confirm_window_s,
      coastS: tracking.coast_s,
      lostS: tracking.lost_s,
      closeS: tracking.close_s,
      maxTracks: tracking.max_tracks,
    },
    new Uint8Array(8),
    0,
  );
  core.setSensors([{ index: 0, id: SENSOR, cooperative: named, placement: null, seeing: null }]);
  const packer = new Packer(() => 0);
  const count = Math.max(tracks * 5, 10_000);
  let made = 0;
  return microsecondsEach(count, () => {
    for (const end = made + count; made < end; made += BATCH) {
      const nowMs = (made / tracks / HZ) * 1000;
      const packed = new Float64Array(BATCH * OBSERVED.width);
      for (let i = 0; i < BATCH; i++) {
        packer.pack(observationOf(made + i, tracks, nowMs, named), made + i, packed, i * OBSERVED.width);
      }
      core.step({ rows: packed, dossiers: packer.takeDossiers() }, nowMs);
    }
  });
}

/** Aircraft 500 m apart that fly north at 4 m/s. */
function observationOf(n: number, tracks: number, nowMs: number, named: boolean): Observation {
  const track = n % tracks;
  const observation = blankObservation(SENSOR, null, nowMs);
  observation.report = 'position';
  observation.latDeg = 47 + (Math.floor(track / 32) * 500 + (nowMs / 1000) * 4) / 111_194;
  observation.lonDeg = 8 + ((track % 32) * 500) / 75_950;
  observation.altHaeM = 600;
  observation.sourceMs = nowMs;
  observation.sigmaHM = 5;
  observation.speedMps = 4;
  observation.courseDeg = 0;
  if (named) observation.identities = [{ type: 'mac', value: macOf(track), transport: 'mavlink' }];
  return observation;
}
