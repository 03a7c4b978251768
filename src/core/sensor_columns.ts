import type { SensorValue } from './settings.ts';

/** Sensors that the tracker tells apart: those that are declared (1 280) and those of links (about 2 800). */
export const MAX_SENSORS = 4_096;

/** A sensor in the columns of native/tracker/sensor.h; NaN where not known. */
export function columnsOf({ placement, seeing }: SensorValue): Float64Array {
  const none = Number.NaN;
  const [rangeLeast = none, rangeMost = none] = seeing?.rangeM ?? [];
  const [elevationLeast = none, elevationMost = none] = seeing?.elevationDeg ?? [];
  const [clutterLeast = none, clutterMost = none] = seeing?.clutterRangeM ?? [];
  const [clutterLow = none, clutterHigh = none] = seeing?.clutterElevationDeg ?? [];
  return Float64Array.of(
    placement?.latDeg ?? none,
    placement?.lonDeg ?? none,
    placement?.altHaeM ?? none,
    seeing?.detection ?? none,
    seeing?.clutterPerLook ?? none,
    rangeLeast,
    rangeMost,
    seeing?.azimuthDeg ?? none,
    seeing?.azimuthWidthDeg ?? none,
    elevationLeast,
    elevationMost,
    clutterLeast,
    clutterMost,
    clutterLow,
    clutterHigh,
    seeing?.periodS ?? none,
    seeing?.rotating ? 1 : 0,
    seeing?.heightKnown === false ? 0 : 1,
    seeing?.ranges ? 1 : 0,
    seeing?.covers ? 1 : 0,
  );
}
