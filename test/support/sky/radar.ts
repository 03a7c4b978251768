import type { SensorValue } from '../../../src/core/tracking/settings.ts';
import type { Geodetic } from '../../../src/geo/position.ts';

/** Where the radar stands, and with it the axes of the site. */
export const RADAR_PLACE: Geodetic = { latDeg: 47, lonDeg: 8, altHaeM: 500 };
export const RADAR_SDS = { azimuthDeg: 0.5, elevationDeg: 0.7, rangeM: 5 } as const;
export const DETECTION = 0.9;
export const RANGE_MOST_M = 30_000;

/** What the radar's false plots spread over, all round it. */
export type ClutterBox = {
  perLook: number;
  rangeM: readonly [number, number];
  elevationDeg: readonly [number, number];
};

/** The radar, and the receiver that hears what aircraft say of themselves, as the tracker is to know them. */
export function skySensors(clutter: ClutterBox): SensorValue[] {
  const seeing = {
    ranges: true,
    covers: true,
    detection: DETECTION,
    clutterPerScan: clutter.perLook,
    rangeM: [0, RANGE_MOST_M],
    azimuthDeg: 0,
    azimuthWidthDeg: 360,
    elevationDeg: [-2, 40],
    clutterRangeM: clutter.rangeM,
    clutterElevationDeg: clutter.elevationDeg,
    periodS: 1,
    rotating: false,
  } as const;
  return [
    { index: 0, id: 'radar', cooperative: false, placement: RADAR_PLACE, seeing },
    { index: 1, id: 'remote-id', cooperative: true, placement: null, seeing: null },
  ];
}
