import type { Seeing } from '../../../src/core/tracking/settings.ts';
import { added, type Vector } from './site_axes.ts';

/** What a radar of the tests sees, where nothing else is said. */
export const radarSeeing: Seeing = {
  ranges: true,
  covers: true,
  detection: 0.9,
  clutterPerScan: 4,
  rangeM: [50, 8_000],
  azimuthDeg: 0,
  azimuthWidthDeg: 360,
  elevationDeg: [-5, 60],
  clutterRangeM: null,
  clutterElevationDeg: null,
  periodS: 1,
  rotating: false,
};

export type Measures = 'place' | 'plane' | 'angles' | 'bearing';
/** A sensor of the sky that sees: where it stands, how well it measures (1 sigma), how far beside it measures. */
export type Eye = {
  index: number;
  at: Vector;
  measures: Measures;
  seeing: Seeing;
  sdDeg: number;
  sdRangeM: number;
  offset: { azimuthDeg: number; rangeM: number };
  looks: number;
};

/** Where an eye takes a place to be: in the axes of the site, with errors of its own. */
export function measured(eye: Eye, place: Vector, normal: (sd: number) => number): Vector {
  const [east, north, up] = added(place, [-eye.at[0], -eye.at[1], -eye.at[2]]);
  const sd = (eye.sdDeg * Math.PI) / 180;
  const azimuth = Math.atan2(east, north) + normal(sd);
  const elevation = Math.atan2(up, Math.hypot(east, north)) + normal(sd);
  return placeOf(eye, azimuth, elevation, Math.hypot(east, north, up) + normal(eye.sdRangeM));
}

/** A place in the eye's cover where nothing is. */
export function nothing(eye: Eye, random: () => number): Vector {
  const [least, most] = eye.seeing.rangeM;
  return placeOf(eye, 2 * Math.PI * random(), 0.01 + 0.19 * random(), least + (most - least) * random());
}

/** What an eye tells of a place whose azimuth and elevation (deg) and range (m) from it are these. */
export function columnsOf(eye: Eye, [azimuth, elevation, range]: Vector) {
  return {
    azimuthOrLatDeg: (azimuth + eye.offset.azimuthDeg + 360) % 360,
    elevationOrLonDeg: eye.measures === 'place' || eye.measures === 'angles' ? elevation : Number.NaN,
    rangeOrAltHaeM: eye.measures === 'place' || eye.measures === 'plane' ? range + eye.offset.rangeM : Number.NaN,
    sdAzimuthDegOrHM: eye.sdDeg,
    sdElevationDegOrVM: eye.sdDeg,
    sdRangeM: eye.sdRangeM,
  };
}

function placeOf(eye: Eye, azimuth: number, elevation: number, range: number): Vector {
  const ground = range * Math.cos(elevation);
  return added(eye.at, [ground * Math.sin(azimuth), ground * Math.cos(azimuth), range * Math.sin(elevation)]);
}
