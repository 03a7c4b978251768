import { blankObservation } from '../../src/edge/feed/blank.ts';
import type { Observation } from '../../src/model/observation.ts';
import { OBSERVED, OBSERVED_KIND } from '../../src/model/rows/layouts.ts';

const DEGREE = Math.PI / 180;

/** A sky's packed plots or fixes as the observations that feeds would make of them. */
export function observationsOf(rows: Float64Array, kind: 'plot' | 'position', sensorId: string): Observation[] {
  const observations: Observation[] = [];
  for (let at = 0; at < rows.length; at += OBSERVED.width) {
    const row = rows.subarray(at, at + OBSERVED.width);
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
  observation.azimuthDeg = row[OBSERVED.azimuthOrLatDeg] ?? null;
  observation.elevationDeg = row[OBSERVED.elevationOrLonDeg] ?? null;
  observation.rangeM = row[OBSERVED.rangeOrAltHaeM] ?? null;
  observation.sigmaAzimuthDeg = row[OBSERVED.sdAzimuthDegOrHM] ?? null;
  observation.sigmaElevationDeg = row[OBSERVED.sdElevationDegOrVM] ?? null;
  observation.sigmaRangeM = row[OBSERVED.sdRangeM] ?? null;
}

function fillFix(observation: Observation, row: Float64Array): void {
  const [east = 0, north = 0] = [row[OBSERVED.eastMps], row[OBSERVED.northMps]];
  observation.report = 'position';
  observation.latDeg = row[OBSERVED.azimuthOrLatDeg] ?? null;
  observation.lonDeg = row[OBSERVED.elevationOrLonDeg] ?? null;
  observation.altHaeM = row[OBSERVED.rangeOrAltHaeM] ?? null;
  observation.sigmaHM = row[OBSERVED.sdAzimuthDegOrHM] ?? null;
  observation.sigmaVM = row[OBSERVED.sdElevationDegOrVM] ?? null;
  observation.speedMps = Math.hypot(east, north);
  observation.courseDeg = (Math.atan2(east, north) / DEGREE + 360) % 360;
  observation.climbMps = row[OBSERVED.upMps] ?? null;
  observation.sigmaSpeedMps = row[OBSERVED.sdSpeedMps] ?? null;
  observation.identities = [{ type: 'serial', value: `1581F${row[OBSERVED.claim]}`, transport: 'bt5' }];
}
