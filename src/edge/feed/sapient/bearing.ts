import type { Placement } from '../../../model/sensor.ts';
import { normaliseDeg } from '../../../model/units.ts';
import type { RangeBearing } from '../../wire/sapient/message.ts';
import { sigmaOf, within } from './units.ts';

/** Direction from a sensor to an object. Parts that are not given are null. */
export type ReadBearing = {
  azimuthDeg: number | null;
  elevationDeg: number | null;
  rangeM: number | null;
  sigmaAzimuthDeg: number | null;
  sigmaElevationDeg: number | null;
  sigmaRangeM: number | null;
};

const DEGREES = 180 / Math.PI;
const MOST_RANGE_M = 1_000_000;

type Cone = Omit<RangeBearing, 'elevation_error' | 'azimuth_error' | 'range_error'>;

/** Returns the factors that convert a bearing's angles to degrees and its range to metres. */
export function bearingUnits({ coordinate_system }: Pick<Cone, 'coordinate_system'>): {
  degrees: number;
  metres: number;
} {
  const inRadians = coordinate_system === 'RADIANS_M' || coordinate_system === 'RADIANS_KM';
  const inKilometres = coordinate_system === 'DEGREES_KM' || coordinate_system === 'RADIANS_KM';
  return { degrees: inRadians ? DEGREES : 1, metres: inKilometres ? 1_000 : 1 };
}

/**
 * Returns the degrees to add to an azimuth to make it relative to true north. Returns a string with the reason if they
 * are unknown. The bearing is then refused, because it would point in a wrong direction.
 */
export function northOf({ datum }: Pick<Cone, 'datum'>, placement: Placement | null): number | string {
  switch (datum) {
    case 'TRUE':
      return 0;
    case 'PLATFORM':
      return (
        placement?.azimuth_deg ??
        "the node's bearings are relative to its platform and are refused: set placement.azimuth_deg of its sensor"
      );
    case 'MAGNETIC':
      return "the node's bearings are from magnetic north and are refused: set the node to true north";
    default:
      return "the node's bearings are from grid north and are refused: set the node to true north";
  }
}

/**
 * Reads a direction. Returns a string with the reason if the direction is refused, and null if a value is
 * impossible.
 */
export function readBearing(bearing: RangeBearing, placement: Placement | null): ReadBearing | string | null {
  const { degrees, metres } = bearingUnits(bearing);
  const azimuth = scaled(bearing.azimuth, degrees, -360, 360);
  const elevation = scaled(bearing.elevation, degrees, -90, 90);
  const range = scaled(bearing.range, metres, 0, MOST_RANGE_M);
  if (azimuth === undefined || elevation === undefined || range === undefined) return null;
  const north = azimuth === null ? 0 : northOf(bearing, placement);
  if (typeof north === 'string') return north;
  if (azimuth !== null && placement === null)
    return "the node's position is unknown, so its bearings are refused: set placement of its sensor";
  const sigma = (error: number | undefined, unit: number, most: number): number | null =>
    sigmaOf(error === undefined ? undefined : error * unit, most);
  return {
    azimuthDeg: azimuth === null ? null : normaliseDeg(azimuth + north),
    elevationDeg: azimuth === null ? null : elevation,
    rangeM: azimuth === null ? null : range,
    sigmaAzimuthDeg: sigma(bearing.azimuth_error, degrees, 180),
    sigmaElevationDeg: sigma(bearing.elevation_error, degrees, 90),
    sigmaRangeM: sigma(bearing.range_error, metres, 100_000),
  };
}

/** Converts a value to our unit; null if it is absent, undefined if it is out of range. */
function scaled(value: number | undefined, unit: number, least: number, most: number): number | null | undefined {
  if (value === undefined) return null;
  return within(value * unit, least, most) ?? undefined;
}
