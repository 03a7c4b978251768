import type { PositionObservation } from '../../src/geo/filter_bank.ts';

/** The slow twin of native/: dense matrices, written from the textbook, one obvious step after another. */
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
function transposed(a: Matrix): Matrix {
  return (a[0] ?? []).map((_, j) => a.map((row) => at(row, j)));
}
function plus(a: Matrix, b: Matrix, scale = 1): Matrix {
  return a.map((row, i) => row.map((v, j) => v + scale * at(b[i], j)));
}

/** Gauss-Jordan with pivoting. */
function inverse(a: Matrix): Matrix {
  const n = a.length;
  const m = a.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(at(m[r], c)) > Math.abs(at(m[pivot], c))) pivot = r;
    [m[c], m[pivot]] = [m[pivot] ?? [], m[c] ?? []];
    const scale = at(m[c], c);
    m[c] = (m[c] ?? []).map((v) => v / scale);
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = at(m[r], c);
      m[r] = (m[r] ?? []).map((v, j) => v - factor * at(m[c], j));
    }
  }
  return m.map((row) => row.slice(n));
}

const diagonal = (values: number[]): Matrix => values.map((v, i) => values.map((_, j) => (i === j ? v : 0)));

/** A constant-velocity filter in one tangent plane with every height known: joint updates with dense matrices. */
export class SlowFilter {
  readonly #origin: [number, number, number];
  readonly #q: number;
  x: Matrix = [];
  p: Matrix = [];
  timeMs = 0;

  constructor(origin: [number, number, number], q: number) {
    this.#origin = origin;
    this.#q = q;
  }

  begin(o: PositionObservation): void {
    const turn = this.#turn(o);
    const position = enuOf(this.#origin, o.latDeg, o.lonDeg, o.altHaeM);
    const velocity = times(turn, [[o.eastMps], [o.northMps], [o.upMps]]);
    this.x = [...position.map((v) => [v]), ...velocity];
    const pp = times(times(turn, diagonal([o.sdHM ** 2, o.sdHM ** 2, o.sdVM ** 2])), transposed(turn));
    const vv = times(
      times(turn, diagonal([o.sdSpeedMps ** 2, o.sdSpeedMps ** 2, o.sdClimbMps ** 2])),
      transposed(turn),
    );
    this.p = [...pp.map((row) => [...row, 0, 0, 0]), ...vv.map((row) => [0, 0, 0, ...row])];
    this.timeMs = o.timeMs;
  }

  predict(timeMs: number): void {
    const dt = (timeMs - this.timeMs) / 1000;
    const f = diagonal([1, 1, 1, 1, 1, 1]).map((row, i) => row.map((v, j) => (j === i + 3 ? dt : v)));
    const noise = diagonal([0, 0, 0, 0, 0, 0]);
    for (let axis = 0; axis < 3; axis++) {
      const q = axis === 2 ? this.#q / 4 : this.#q;
      const [position, velocity] = [noise[axis] ?? [], noise[axis + 3] ?? []];
      position[axis] = (q * dt ** 3) / 3;
      position[axis + 3] = velocity[axis] = (q * dt ** 2) / 2;
      velocity[axis + 3] = q * dt;
    }
    this.x = times(f, this.x);
    this.p = plus(times(times(f, this.p), transposed(f)), noise);
    this.timeMs = timeMs;
  }

  /** Predicts and updates with position and velocity at once; returns the position's squared normalised innovation. */
  observe(o: PositionObservation): number {
    this.predict(o.timeMs);
    const turn = this.#turn(o);
    const rp = times(times(turn, diagonal([o.sdHM ** 2, o.sdHM ** 2, o.sdVM ** 2])), transposed(turn));
    const position = enuOf(this.#origin, o.latDeg, o.lonDeg, o.altHaeM).map((v) => [v]);
    const nis = this.#update(diagonal([1, 1, 1, 1, 1, 1]).slice(0, 3), position, rp);
    const rv = times(
      times(turn, diagonal([o.sdSpeedMps ** 2, o.sdSpeedMps ** 2, o.sdClimbMps ** 2])),
      transposed(turn),
    );
    this.#update(diagonal([1, 1, 1, 1, 1, 1]).slice(3), times(turn, [[o.eastMps], [o.northMps], [o.upMps]]), rv);
    return nis;
  }

  #turn(o: PositionObservation): Matrix {
    return times(axesOf(this.#origin[0], this.#origin[1]), transposed(axesOf(o.latDeg, o.lonDeg)));
  }

  #update(h: Matrix, z: Matrix, r: Matrix): number {
    const s = plus(times(times(h, this.p), transposed(h)), r);
    const gain = times(times(this.p, transposed(h)), inverse(s));
    const innovation = plus(z, times(h, this.x), -1);
    this.x = plus(this.x, times(gain, innovation));
    this.p = plus(this.p, times(times(gain, s), transposed(gain)), -1);
    return at(times(times(transposed(innovation), inverse(s)), innovation)[0], 0);
  }
}
