import { haeOfMsl } from '../../../geo/geoid.ts';
import type { LatLon } from '../../../geo/position.ts';
import { metresApart } from '../../../geo/sphere.ts';
import { latLonOfUtm } from '../../../geo/utm.ts';
import type { Location } from '../../wire/sapient/message.ts';
import { sigmaOf } from './units.ts';

/** Position with its height and standard deviations, m. */
export type ReadPlace = LatLon & {
  altHaeM: number | null;
  altMslM: number | null;
  sigmaHM: number | null;
  sigmaVM: number | null;
};

/** Context of UTM positions: the default zone, and a position near which the object is, to choose the hemisphere. */
export type PlaceContext = { zone: string; near: LatLon | null };

const RADIAN = Math.PI / 180;
const DEGREE_M = 111_320;
const MOST_SIGMA_M = 100_000;
/**
 * Stated errors below this value are taken as degrees, larger ones as metres: no sensor has so small an error in
 * metres. The rule is inferred: the samples of Dstl give metres.
 */
const MOST_ERROR_DEG = 0.01;
const [LEAST_EASTING_M, MOST_EASTING_M, MOST_NORTHING_M] = [100_000, 900_000, 10_000_000];
const [LEAST_ALT_M, MOST_ALT_M] = [-1_000, 100_000];

/** Reads a position. Null if it or its height is impossible, if it is 0, 0, or if its coordinate system is unknown. */
export function readPlace(location: Location, context: PlaceContext): ReadPlace | null {
  const place = placeOf(location, context);
  if (place === null || (place.latDeg === 0 && place.lonDeg === 0)) return null;
  const { z, z_error, datum } = location;
  if (z !== undefined && !(z >= LEAST_ALT_M && z <= MOST_ALT_M)) return null;
  const isMsl = datum === 'WGS84_G';
  return {
    ...place,
    altHaeM: z === undefined ? null : isMsl ? haeOfMsl(z, place.latDeg, place.lonDeg) : z,
    altMslM: z !== undefined && isMsl ? z : null,
    sigmaHM: sigmaOf(horizontalErrorM(location, place), MOST_SIGMA_M),
    sigmaVM: sigmaOf(z_error, MOST_SIGMA_M),
  };
}

function placeOf({ x, y, coordinate_system, utm_zone }: Location, context: PlaceContext): LatLon | null {
  switch (coordinate_system) {
    case 'LAT_LNG_DEG_M':
      return onEarth({ latDeg: y, lonDeg: x });
    case 'LAT_LNG_RAD_M':
      return onEarth({ latDeg: y / RADIAN, lonDeg: x / RADIAN });
    case 'UTM_M':
      return gridPlace(x, y, utm_zone ?? context.zone, context.near);
    default:
      return null;
  }
}

function onEarth(place: LatLon): LatLon | null {
  return Math.abs(place.latDeg) <= 90 && Math.abs(place.lonDeg) <= 180 ? place : null;
}

/** Returns the larger error of the two horizontal axes, m. */
function horizontalErrorM({ x_error = 0, y_error = 0, coordinate_system }: Location, { latDeg }: LatLon): number {
  if (coordinate_system === 'UTM_M') return Math.max(x_error, y_error);
  const degrees = coordinate_system === 'LAT_LNG_RAD_M' ? 1 / RADIAN : 1;
  const inMetres = (error: number, degreeM: number): number =>
    error * degrees < MOST_ERROR_DEG ? error * degrees * degreeM : error;
  return Math.max(inMetres(x_error, DEGREE_M * Math.cos(latDeg * RADIAN)), inMetres(y_error, DEGREE_M));
}

const zoneForm = /^\s*(\d{1,2})\s*([A-Za-z]?)/;

/**
 * Converts a UTM position; null without a valid zone or outside the grid. The band letters C to M are in the southern
 * hemisphere, N to X in the northern.
 */
function gridPlace(eastingM: number, northingM: number, zoneText: string, near: LatLon | null): LatLon | null {
  const [, digits = '', letter = ''] = zoneForm.exec(zoneText) ?? [];
  const zone = Number(digits);
  const isOnGrid =
    eastingM >= LEAST_EASTING_M && eastingM <= MOST_EASTING_M && northingM >= 0 && northingM <= MOST_NORTHING_M;
  if (!(zone >= 1 && zone <= 60) || !isOnGrid) return null;
  const north = latLonOfUtm({ zone, isNorth: true, eastingM, northingM });
  const south = latLonOfUtm({ zone, isNorth: false, eastingM, northingM });
  switch (letter.toUpperCase()) {
    case '':
      return near === null ? north : nearer(north, south, near);
    case 'N':
      // N names the first band north of the equator and also abbreviates "north", so it always means north.
      return north;
    case 'S':
      // S is either the band from 32° to 40° north or the southern hemisphere.
      if (near !== null) return nearer(north, south, near);
      return north.latDeg >= 32 && north.latDeg <= 40 ? north : south;
    default:
      return letter.toUpperCase() < 'N' ? south : north;
  }
}

function nearer(one: LatLon, other: LatLon, to: LatLon): LatLon {
  return metresApart(one, to) <= metresApart(other, to) ? one : other;
}
