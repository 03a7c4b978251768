import { LocalFrame } from '../../../src/geo/local_frame.ts';
import type { Enu, Geodetic } from '../../../src/geo/position.ts';

export const boxNames = ['west', 'middle', 'east'] as const;
export type BoxName = (typeof boxNames)[number];

/** An aircraft that circles; every second one sends Remote ID. */
export type Aircraft = { index: number; serial: string | null; seenBy: readonly BoxName[] };

const COLUMNS = 20;
const ROWS = 10;
/** Distance of the centres of two circles; the radius leaves 160 m between neighbours at least. */
const SPACING_M = 400;
const RADIUS_M = 120;
const SPEED_MPS = 10;
const HEIGHT_M = 600;

/** First and last column that each box watches: the boxes share 2 × 3 columns, so 60 of 200 aircraft are seen twice. */
const columnsOf: Readonly<Record<BoxName, readonly [number, number]>> = {
  west: [0, 7],
  middle: [5, 14],
  east: [12, 19],
};

const frame = new LocalFrame(47.4, 8.5, HEIGHT_M);

/** 200 aircraft over a field of 8 by 4 km. */
export const aircraft: readonly Aircraft[] = Array.from({ length: COLUMNS * ROWS }, (_, index) => ({
  index,
  serial: index % 2 === 0 ? `1581F5FKD${String(index).padStart(11, '0')}` : null,
  seenBy: boxNames.filter((name) => columnsOf[name][0] <= index % COLUMNS && index % COLUMNS <= columnsOf[name][1]),
}));

/** Aircraft that a box sees. */
export const seenBy = (name: BoxName): Aircraft[] => aircraft.filter((one) => one.seenBy.includes(name));

/** Position of an aircraft at a time of the run, metres in the plane of the field. */
export function positionOf({ index }: Aircraft, atS: number): Enu {
  const angle = (SPEED_MPS / RADIUS_M) * atS + index;
  return {
    eastM: ((index % COLUMNS) - COLUMNS / 2) * SPACING_M + RADIUS_M * Math.cos(angle),
    northM: (Math.floor(index / COLUMNS) - ROWS / 2) * SPACING_M + RADIUS_M * Math.sin(angle),
    upM: 0,
  };
}

/** Places of boxes and measured places as documents have them, and back. */
export const toPlace = ({ eastM, northM, upM }: Enu): Geodetic => frame.toGeodetic(eastM, northM, upM);
export const toField = (lat: number, lon: number, altHaeM: number): Enu => frame.toEnu(lat, lon, altHaeM);
