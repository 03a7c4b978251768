/** Reference for native/geodesy.h, written from the textbook. */
type Matrix = number[][];

const A = 6378137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const RAD = Math.PI / 180;

export function ecefOf(latDeg: number, lonDeg: number, heightM: number): number[] {
  const [lat, lon] = [latDeg * RAD, lonDeg * RAD];
  const n = A / Math.sqrt(1 - E2 * Math.sin(lat) ** 2);
  return [
    (n + heightM) * Math.cos(lat) * Math.cos(lon),
    (n + heightM) * Math.cos(lat) * Math.sin(lon),
    (n * (1 - E2) + heightM) * Math.sin(lat),
  ];
}

export function axesOf(latDeg: number, lonDeg: number): Matrix {
  const [lat, lon] = [latDeg * RAD, lonDeg * RAD];
  return [
    [-Math.sin(lon), Math.cos(lon), 0],
    [-Math.sin(lat) * Math.cos(lon), -Math.sin(lat) * Math.sin(lon), Math.cos(lat)],
    [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)],
  ];
}

export function enuOf(origin: [number, number, number], latDeg: number, lonDeg: number, heightM: number): number[] {
  const from = ecefOf(...origin);
  const to = ecefOf(latDeg, lonDeg, heightM);
  return times(
    axesOf(origin[0], origin[1]),
    to.map((v, i) => [v - at(from, i)]),
  ).map((row) => at(row, 0));
}

const at = (list: number[] | undefined, i: number): number => list?.[i] ?? Number.NaN;

function times(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => (b[0] ?? []).map((_, j) => row.reduce((sum, v, k) => sum + v * at(b[k], j), 0)));
}
