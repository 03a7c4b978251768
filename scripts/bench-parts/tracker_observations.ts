import { blankObservation } from '../../src/edge/feed/blank.ts';
import type { Observation } from '../../src/model/observation.ts';
import { OBSERVED, OBSERVED_KIND, OBSERVED_WIDTH } from '../../src/model/observation_row.ts';

const DEGREE = Math.PI / 180;

/** A sky's packed plots or fixes as the observations that feeds would make of them. */
export function observationsOf(rows: Float64Array, kind: 'plot' | 'position', sensorId: string): Observation[] {
  const observations: Observation[] = [];
  for (let at = 0; at < rows.length; at += OBSERVED_WIDTH) {
    const row = rows.subarray(at, at + OBSERVED_WIDTH);
    if (row[OBSERVED.kind] !== OBSERVED_KIND[kind]) continue;
    const observation = blankObservation(sensorId, null, (row[OBSERVED.receivedS] ?? 0) * 1000);
    observation.timeMs = (row[OBSERVED.timeS] ?? 0) * 1000;
    if (kind === 'plot') fillPlot(observation, row);
    else fillFix(observation, row);
    observations.push(observation);
  }
  return observations;
}

function fillPlot(observation: Observation, row: Float64Array): void {
  observation.report = 'range_bearing';
  observation.azimuthDeg = row[OBSERVED.a] ?? null;
  observation.elevationDeg = row[OBSERVED.b] ?? null;
  observation.rangeM = row[OBSERVED.c] ?? null;
  observation.sigmaAzimuthDeg = row[OBSERVED.sdA] ?? null;
  observation.sigmaElevationDeg = row[OBSERVED.sdB] ?? null;
  observation.sigmaRangeM = row[OBSERVED.sdC] ?? null;
}

function fillFix(observation: Observation, row: Float64Array): void {
  const [east = 0, north = 0] = [row[OBSERVED.eastMps], row[OBSERVED.northMps]];
  observation.report = 'position';
  observation.latDeg = row[OBSERVED.a] ?? null;
  observation.lonDeg = row[OBSERVED.b] ?? null;
  observation.altHaeM = row[OBSERVED.c] ?? null;
  observation.sigmaHM = row[OBSERVED.sdA] ?? null;
  observation.sigmaVM = row[OBSERVED.sdB] ?? null;
  observation.speedMps = Math.hypot(east, north);
  observation.courseDeg = (Math.atan2(east, north) / DEGREE + 360) % 360;
  observation.climbMps = row[OBSERVED.upMps] ?? null;
  observation.sigmaSpeedMps = row[OBSERVED.sdSpeedMps] ?? null;
  observation.identities = [{ type: 'serial', value: `1581F${row[OBSERVED.claim]}`, transport: 'bt5' }];
}
