import fc from 'fast-check';
import t from 'tap';
import type { Observation } from '../../src/model/observation.ts';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH } from '../../src/model/track_row.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';
import { hostileObservation } from './hostile_observation.ts';

const maxTracks = 12;
const seconds = 25;
const sensorIds = ['radar', 'camera', 'ear', 'other'];
const placement = { latDeg: 47.2, lonDeg: 8.3, altHaeM: 500 };
/** Unknown on a track that has a place: who was never told his height tells none. */
const mayBeUnknown = new Set(['heightTakeoffM', 'altAglM', 'altHaeM', 'sigmaVM']);

/** Two aircraft that fly as they should: one says who it is, the other is seen. */
function sane(atMs: number): Observation[] {
  const northM = atMs / 100;
  const said = { altHaeM: 600, sigmaHM: 3, sigmaVM: 3 };
  return [
    positionAt(atMs, northM, 0, { ...said, identities: [serial('SANE')], sensorId: 'ear' }),
    positionAt(atMs, northM, 2_000, { ...said, sensorId: 'eye' }),
  ];
}

function checkRows({ rows }: CoreOutput): void {
  for (let at = 0; at < rows.length; at += ROW_WIDTH) {
    const row = rows.subarray(at, at + ROW_WIDTH);
    const placed = !Number.isNaN(row[TRACK.latDeg]);
    for (const [name, column] of Object.entries(TRACK)) {
      const value = row[column] ?? Number.NaN;
      const always = column <= TRACK.lastSeenMs || (column >= TRACK.confidence && column < TRACK.predicted);
      const unknown = Number.isNaN(value) && !always && (!placed || mayBeUnknown.has(name));
      if (!Number.isFinite(value) && !unknown) throw new Error(`${name} of track ${row[0]} is ${value}`);
    }
    for (const value of row) if (Math.abs(value) === Number.POSITIVE_INFINITY) throw new Error(`row ${row}`);
    if (placed && !(Math.abs(row[TRACK.latDeg] ?? 99) <= 90 && Math.abs(row[TRACK.lonDeg] ?? 999) <= 180))
      throw new Error(`track ${row[0]} stands at ${row[TRACK.latDeg]}, ${row[TRACK.lonDeg]}`);
  }
}

/** How far a confirmed track stands from where the aircraft is; infinite where none is confirmed. */
function errorM(core: CoreWitness, number: number, northM: number, eastM: number): number {
  if (core.state(number) !== 'confirmed') return Number.POSITIVE_INFINITY;
  const north = (core.column(number, 'latDeg') - 47) * 111_194 - northM;
  return Math.hypot(north, (core.column(number, 'lonDeg') - 8) * 75_950 - eastM);
}

t.test('whatever others tell, what flies as it should stays where it is', async (t) => {
  const seed = seedOf(t);
  const second = fc.integer({ min: 4, max: seconds - 1 });
  const told = second.chain((s) => fc.tuple(fc.constant(s), hostileObservation(s * 1000, sensorIds)));
  fc.assert(
    fc.property(fc.array(told, { maxLength: 150 }), (hostile) => {
      const core = new CoreWitness({ maxTracks });
      core.step(
        0,
        ...sensorIds.map((sensorId) =>
          positionAt(0, 0, 0, { sensorId, report: 'presence', latDeg: null, lonDeg: null }),
        ),
      );
      const seeing = {
        clutterPerScan: 2,
        detection: 0.9,
        azimuthDeg: 0,
        azimuthWidthDeg: 360,
        elevationDeg: [-5, 60],
        rangeM: [0, 10_000],
      } as const;
      const rest = { clutterRangeM: null, clutterElevationDeg: null, periodS: 1, rotating: false, covers: true };
      core.core.setSensors([
        { index: 0, id: 'radar', cooperative: false, placement, seeing: { ...seeing, ...rest, ranges: true } },
        {
          index: 1,
          id: 'camera',
          cooperative: false,
          placement,
          seeing: { ...seeing, ...rest, ranges: false, covers: false },
        },
      ]);
      let numbers: number[] = [];
      for (let s = 1; s <= seconds; s++) {
        const mixed = [...sane(s * 1000), ...hostile.filter(([at]) => at === s).map(([, observation]) => observation)];
        checkRows(core.step(s * 1000, ...mixed));
        checkRows(core.step(s * 1000 + 400));
        if (core.numbers().length > maxTracks) throw new Error(`${core.numbers().length} tracks`);
        if (s === 3) numbers = core.numbers();
      }
      if (numbers.length !== 2) throw new Error(`there are ${numbers} before anybody else speaks`);
      const northM = seconds * 10 + 4;
      const errors = [0, 2_000].map((eastM) =>
        Math.min(...numbers.map((number) => errorM(core, number, northM, eastM))),
      );
      for (const error of errors)
        if (!(error < 5)) throw new Error(`a sane aircraft's track stands ${errors} m beside`);
    }),
    { seed, numRuns: sized(300) },
  );
});
