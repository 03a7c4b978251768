/** Items of a record by their numbers, as bytes, in the order of the category's field specification. */
export type RecordItems = readonly (readonly [bit: number, bytes: readonly number[]])[];

/** A record: its field specification, made of the bits (from 0), and its items. */
export function asterixRecord(items: RecordItems): number[] {
  const sorted = [...items].sort(([a], [b]) => a - b);
  const octets = Math.floor((sorted.at(-1)?.[0] ?? 0) / 7) + 1;
  const spec = Array.from({ length: octets }, (_, i): number => (i < octets - 1 ? 1 : 0));
  for (const [bit] of sorted) spec[Math.floor(bit / 7)] = (spec[Math.floor(bit / 7)] ?? 0) | (0x80 >> (bit % 7));
  return [...spec, ...sorted.flatMap(([, bytes]) => bytes)];
}

/** A block of one category with its length. */
export function asterixBlock(category: number, ...records: readonly (readonly number[])[]): Buffer {
  const body = records.flat();
  return Buffer.from([category, ...wide(body.length + 3, 2), ...body]);
}

/** A whole number in so many octets, the highest first; negative ones as two's complement. */
export function wide(value: number, octets: number): number[] {
  const raw = value < 0 ? value + 256 ** octets : value;
  return Array.from({ length: octets }, (_, i) => Math.floor(raw / 256 ** (octets - 1 - i)) % 256);
}

export const steps = (value: number, step: number, octets: number): number[] => wide(Math.round(value / step), octets);

const NM = 1_852;
const ANGLE_STEP = 360 / 65_536;

export type PlotSpec = {
  source?: readonly [number, number];
  timeS: number;
  rangeM: number;
  azimuthDeg: number;
  altMslM?: number;
  track?: number;
  speed?: { mps: number; courseDeg: number };
  /** Octets of 020; [0x20] is a detection of a primary radar. */
  descriptor?: readonly number[];
  /** Octets of 170; absent without a track. */
  status?: readonly number[];
  codes?: readonly number[];
  icao24?: number;
};

/** A CAT 048 record. */
export function plotRecord(plot: PlotSpec): number[] {
  const { source = [204, 17], timeS, rangeM, azimuthDeg, altMslM, track, speed, codes, icao24 } = plot;
  const items: [number, number[]][] = [
    [0, [...source]],
    [1, steps(timeS, 1 / 128, 3)],
    [2, [...(plot.descriptor ?? [0x20])]],
    [3, [...steps(rangeM, NM / 256, 2), ...steps(azimuthDeg, ANGLE_STEP, 2)]],
  ];
  if (icao24 !== undefined) items.push([7, wide(icao24, 3)]);
  if (track !== undefined) items.push([10, wide(track, 2)]);
  if (speed) items.push([12, [...steps(speed.mps / NM, 2 ** -14, 2), ...steps(speed.courseDeg, ANGLE_STEP, 2)]]);
  if (plot.status ?? track !== undefined) items.push([13, [...(plot.status ?? [0])]]);
  if (codes) items.push([15, codes.map((code, i) => (code << 1) | (i < codes.length - 1 ? 1 : 0))]);
  if (altMslM !== undefined) items.push([18, wide(Math.round(altMslM / (25 * 0.3048)) & 0x3fff, 2)]);
  return asterixRecord(items);
}

export type NorthSpec = {
  source?: readonly [number, number];
  type?: number;
  timeS: number;
  turnS?: number;
  isNoGo?: boolean;
  site?: { lat: number; lon: number; altMslM: number };
};

/** A CAT 034 record: north crossing, unless `type` says otherwise. */
export function northRecord({ source = [204, 17], type = 1, timeS, turnS, isNoGo, site }: NorthSpec): number[] {
  const items: [number, number[]][] = [
    [0, [...source]],
    [1, [type]],
    [2, steps(timeS, 1 / 128, 3)],
  ];
  if (turnS !== undefined) items.push([4, steps(turnS, 1 / 128, 2)]);
  if (isNoGo !== undefined) items.push([5, [0x80, isNoGo ? 0x80 : 0]]);
  if (site) {
    const step = 180 / 2 ** 23;
    items.push([10, [...wide(site.altMslM, 2), ...steps(site.lat, step, 3), ...steps(site.lon, step, 3)]]);
  }
  return asterixRecord(items);
}

export type TrackSpec = {
  source?: readonly [number, number];
  timeS: number;
  track: number;
  lat: number;
  lon: number;
  eastMps?: number;
  northMps?: number;
  altHaeM?: number;
  /** Octets of 080. */
  status?: readonly number[];
  /** Ages of the last report of a primary radar, s. */
  ageS?: number;
  icao24?: number;
};

/** A CAT 062 record. */
export function trackRecord(track: TrackSpec): number[] {
  const { source = [204, 50], timeS, lat, lon, eastMps, northMps, altHaeM, ageS, icao24 } = track;
  const step = 180 / 2 ** 25;
  const items: [number, number[]][] = [
    [0, [...source]],
    [3, steps(timeS, 1 / 128, 3)],
    [4, [...steps(lat, step, 4), ...steps(lon, step, 4)]],
    [11, wide(track.track, 2)],
    [12, [...(track.status ?? [0])]],
  ];
  if (eastMps !== undefined && northMps !== undefined)
    items.push([6, [...steps(eastMps, 0.25, 2), ...steps(northMps, 0.25, 2)]]);
  if (icao24 !== undefined) items.push([10, [0x80, ...wide(icao24, 3)]]);
  if (ageS !== undefined) items.push([13, [0x40, Math.round(ageS / 0.25)]]);
  if (altHaeM !== undefined) items.push([17, steps(altHaeM / 0.3048, 6.25, 2)]);
  return asterixRecord(items);
}
