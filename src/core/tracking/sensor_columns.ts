import { SENSOR } from '../../model/rows/layouts.ts';
import { packRow } from '../../model/rows/pack_row.ts';
import type { SensorValue } from './settings.ts';

/** Greatest number of sensors of one tracker, declared or added by links. */
export const MAX_SENSORS = 4_096;

/** Packs a sensor into one row of `SENSOR` columns; unknown values become NaN. */
export function columnsOf({ placement, seeing }: SensorValue): Float64Array {
  const none = Number.NaN;
  return packRow(SENSOR, {
    latDeg: placement?.latDeg ?? none,
    lonDeg: placement?.lonDeg ?? none,
    altHaeM: placement?.altHaeM ?? none,
    detection: seeing?.detection ?? none,
    clutterPerScan: seeing?.clutterPerScan ?? none,
    rangeMinM: seeing?.rangeM[0] ?? none,
    rangeMaxM: seeing?.rangeM[1] ?? none,
    azimuthDeg: seeing?.azimuthDeg ?? none,
    azimuthWidthDeg: seeing?.azimuthWidthDeg ?? none,
    elevationMinDeg: seeing?.elevationDeg[0] ?? none,
    elevationMaxDeg: seeing?.elevationDeg[1] ?? none,
    clutterRangeMinM: seeing?.clutterRangeM?.[0] ?? none,
    clutterRangeMaxM: seeing?.clutterRangeM?.[1] ?? none,
    clutterElevationMinDeg: seeing?.clutterElevationDeg?.[0] ?? none,
    clutterElevationMaxDeg: seeing?.clutterElevationDeg?.[1] ?? none,
    periodS: seeing?.periodS ?? none,
    rotating: seeing?.rotating ? 1 : 0,
    level: seeing?.heightKnown === false ? 0 : 1,
    ranges: seeing?.ranges ? 1 : 0,
    covers: seeing?.covers ? 1 : 0,
  });
}
