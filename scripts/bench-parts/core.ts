import { Core } from '../../src/core/core.ts';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import { FilterBank, type PositionObservation } from '../../src/geo/filter_bank.ts';
import { defaultConfig } from '../../src/host/config.ts';
import type { Observation } from '../../src/model/observation.ts';
import { SlowFilter } from '../../test/support/slow_filter.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';
import { macOf } from './senders.ts';

const SENSOR = '00000000-0000-8000-8000-00000000aaaa';
const HZ = 4;
/** What arrives together at some thousand observations a second. */
const BATCH = 4;
const NATIVE_UPDATES = 100_000;
const SLOW_UPDATES = 2_000;

/** The core in this thread: what an observation costs it, and what the native filter saves. */
export async function benchCore(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tracks of [10, 100, 1_000]) {
    rows.push({ name: `named observation among ${tracks} tracks`, value: coreCost(tracks, true), unit: 'µs' });
    rows.push({ name: `anonymous plot among ${tracks} tracks`, value: coreCost(tracks, false), unit: 'µs' });
  }
  return [...rows, ...filterRows()];
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
  core.setSensors([{ id: SENSOR, cooperative: named, placement: null }]);
  const count = Math.max(tracks * 5, 10_000);
  let made = 0;
  return microsecondsEach(count, () => {
    for (const end = made + count; made < end; made += BATCH) {
      const nowMs = (made / tracks / HZ) * 1000;
      const batch = Array.from({ length: BATCH }, (_, i) => observationOf(made + i, tracks, nowMs, named));
      core.step(batch, nowMs);
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
  observation.sigmaHM = 5;
  observation.speedMps = 4;
  observation.courseDeg = 0;
  if (named) observation.identities = [{ type: 'mac', value: macOf(track), transport: 'mavlink' }];
  return observation;
}

function filterRows(): Row[] {
  const bank = new FilterBank(1, 8);
  bank.begin(bank.acquire() ?? 0, positionAt(0));
  const slow = new SlowFilter([47, 8, 0], 8);
  slow.begin(positionAt(0));
  let [nativeN, slowN] = [0, 0];
  const native = microsecondsEach(NATIVE_UPDATES, () => {
    for (let i = 0; i < NATIVE_UPDATES; i++) bank.observe(0, positionAt(++nativeN));
  });
  const twin = microsecondsEach(SLOW_UPDATES, () => {
    for (let i = 0; i < SLOW_UPDATES; i++) slow.observe(positionAt(++slowN));
  });
  const full = new FilterBank(1_000, 8);
  for (let i = 0; i < 1_000; i++) {
    full.begin(full.acquire() ?? 0, { ...positionAt(0), latDeg: 47 + (i % 32) * 0.005, lonDeg: 8 + i * 0.0002 });
  }
  const gate = microsecondsEach(2_000, () => {
    for (let i = 0; i < 2_000; i++) full.gate(positionAt(1), 21);
  });
  return [
    { name: 'native update of one filter', value: native, unit: 'µs' },
    { name: 'the same in plain TypeScript with dense matrices', value: twin / native, unit: 'times as long' },
    { name: 'native gate over 1000 filters', value: gate, unit: 'µs' },
  ];
}

function positionAt(n: number): PositionObservation {
  return {
    timeMs: n * 250,
    latDeg: 47 + (n % 1_000) * 1e-5,
    lonDeg: 8,
    altHaeM: 600,
    sdHM: 5,
    sdVM: 10,
    eastMps: 0,
    northMps: 4,
    upMps: 0,
    sdSpeedMps: 1,
    sdClimbMps: 1,
  };
}
