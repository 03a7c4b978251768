import { getHeapStatistics } from 'node:v8';
import { Core } from '../../src/core/core.ts';
import { OBSERVED, OBSERVED_KIND } from '../../src/model/rows/layouts.ts';

/** Aircraft and reports of each a second: many reports and few tracks, whose cards are told once a second. */
const AIRCRAFT = 20;
const HZ = 200;
const STEPS_PER_S = 4;

/** Steps a core of its own through `seconds` of steady claims and plots; tells the heap bytes that each report left. */
function run(core: Core, fromS: number, seconds: number): void {
  const perStep = HZ / STEPS_PER_S;
  const rows = new Float64Array(AIRCRAFT * perStep * OBSERVED.width);
  for (let step = 0; step < seconds * STEPS_PER_S; step++) {
    const startS = fromS + step / STEPS_PER_S;
    for (let i = 0; i < AIRCRAFT * perStep; i++) fill(rows, i, startS + Math.floor(i / AIRCRAFT) / HZ, i % AIRCRAFT);
    core.step({ rows, dossiers: [] }, (startS + 1 / STEPS_PER_S) * 1000);
  }
}

function fill(rows: Float64Array, i: number, timeS: number, aircraft: number): void {
  const at = i * OBSERVED.width;
  rows.fill(Number.NaN, at, at + OBSERVED.width);
  rows[at + OBSERVED.kind] = OBSERVED_KIND.position;
  rows[at + OBSERVED.sensor] = 0;
  rows[at + OBSERVED.timeS] = timeS;
  rows[at + OBSERVED.receivedS] = timeS;
  rows[at + OBSERVED.sequence] = timeS * HZ;
  rows[at + OBSERVED.claim] = aircraft;
  rows[at + OBSERVED.azimuthOrLatDeg] = 47 + aircraft * 0.01;
  rows[at + OBSERVED.elevationOrLonDeg] = 8 + (timeS * 10) / 75_950;
  rows[at + OBSERVED.rangeOrAltHaeM] = 500;
  rows[at + OBSERVED.sdAzimuthDegOrHM] = 5;
  rows[at + OBSERVED.sourceS] = timeS;
  rows[at + OBSERVED.saidSpeedMps] = 10;
  rows[at + OBSERVED.eastMps] = 10;
  rows[at + OBSERVED.northMps] = 0;
}

const core = new Core(
  { confirmHits: 2, confirmWindowS: 10, coastS: 5, lostS: 22, closeS: 60, maxTracks: 100 },
  new Uint8Array(8),
  0,
);
const dossiers = Array.from({ length: AIRCRAFT }, (_, index) => ({
  index,
  identities: [{ type: 'mac' as const, value: `A${index}`, transport: 'other' as const }],
  classification: [],
  operator: null,
  takeoff: null,
  status: null,
}));
core.setSensors([{ index: 0, id: 'ear', cooperative: true, placement: null, seeing: null }]);
core.step({ rows: new Float64Array(0), dossiers }, 0);
run(core, 1, 60);
globalThis.gc?.();
const before = getHeapStatistics().used_heap_size;
run(core, 61, 20);
const left = getHeapStatistics().used_heap_size - before;
console.log(JSON.stringify({ reports: 20 * AIRCRAFT * HZ, bytesEach: left / (20 * AIRCRAFT * HZ) }));
