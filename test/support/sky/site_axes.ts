/** East, north, up in metres. */
export type Vector = readonly [number, number, number];

const A = 6_378_137;
const E2 = 6.694_379_990_141_316e-3;
const DEG = Math.PI / 180;

/**
 * The axes of a place on the ellipsoid, for tests: written anew from the definitions and through coordinates that are
 * fixed to the earth, so that the service is not judged by its own arithmetic.
 */
export class SiteAxes {
  readonly #origin: Vector;
  readonly #axes: readonly [Vector, Vector, Vector];

  constructor(latDeg: number, lonDeg: number, altHaeM: number) {
    this.#origin = earthFixed(latDeg, lonDeg, altHaeM);
    this.#axes = axesAt(latDeg, lonDeg);
  }

  /** Degrees and metres above the ellipsoid of a place of the site. */
  toGeodetic(place: Vector): Vector {
    const [e, n, u] = this.#axes;
    const [x, y, z] = added(this.#origin, scaled(e, place[0]), scaled(n, place[1]), scaled(u, place[2]));
    const lonDeg = Math.atan2(y, x) / DEG;
    const p = Math.hypot(x, y);
    let lat = Math.atan2(z, p * (1 - E2));
    for (let round = 0; round < 6; round++) lat = Math.atan2(z + E2 * normalM(lat) * Math.sin(lat), p);
    const heightM = p * Math.cos(lat) + z * Math.sin(lat) - A * Math.sqrt(1 - E2 * Math.sin(lat) ** 2);
    return [lat / DEG, lonDeg, heightM];
  }

  fromGeodetic(latDeg: number, lonDeg: number, altHaeM: number): Vector {
    return along(this.#axes, added(earthFixed(latDeg, lonDeg, altHaeM), scaled(this.#origin, -1)));
  }

  /** A vector of the site in the local axes at a place of the site. */
  turnedTo(place: Vector, vector: Vector): Vector {
    const [lat, lon] = this.toGeodetic(place);
    return along(axesAt(lat, lon), this.#earthVector(vector));
  }

  /** Azimuth and elevation in degrees, range in metres, of a place as one sees it who stands at another. */
  polarFrom(stand: Vector, place: Vector): Vector {
    const difference = added(place, scaled(stand, -1));
    const [e, n, u] = this.turnedTo(stand, difference);
    const azimuth = Math.atan2(e, n) / DEG;
    return [(azimuth + 360) % 360, Math.atan2(u, Math.hypot(e, n)) / DEG, Math.hypot(e, n, u)];
  }

  #earthVector([e, n, u]: Vector): Vector {
    return added(scaled(this.#axes[0], e), scaled(this.#axes[1], n), scaled(this.#axes[2], u));
  }
}

function normalM(lat: number): number {
  return A / Math.sqrt(1 - E2 * Math.sin(lat) ** 2);
}

function earthFixed(latDeg: number, lonDeg: number, altHaeM: number): Vector {
  const [lat, lon] = [latDeg * DEG, lonDeg * DEG];
  const n = normalM(lat);
  const ground = (n + altHaeM) * Math.cos(lat);
  return [ground * Math.cos(lon), ground * Math.sin(lon), (n * (1 - E2) + altHaeM) * Math.sin(lat)];
}

function axesAt(latDeg: number, lonDeg: number): [Vector, Vector, Vector] {
  const [sinLat, cosLat] = [Math.sin(latDeg * DEG), Math.cos(latDeg * DEG)];
  const [sinLon, cosLon] = [Math.sin(lonDeg * DEG), Math.cos(lonDeg * DEG)];
  return [
    [-sinLon, cosLon, 0],
    [-sinLat * cosLon, -sinLat * sinLon, cosLat],
    [cosLat * cosLon, cosLat * sinLon, sinLat],
  ];
}

function along(axes: readonly Vector[], vector: Vector): Vector {
  const [a = 0, b = 0, c = 0] = axes.map((axis) => axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]);
  return [a, b, c];
}

/** The sum of vectors. */
export function added(...vectors: readonly Vector[]): Vector {
  let [x, y, z] = [0, 0, 0];
  for (const vector of vectors) [x, y, z] = [x + vector[0], y + vector[1], z + vector[2]];
  return [x, y, z];
}

export function scaled([x, y, z]: Vector, by: number): Vector {
  return [x * by, y * by, z * by];
}

/** Metres between two places. */
export function apartM(a: Vector, b: Vector): number {
  return Math.hypot(...added(a, scaled(b, -1)));
}
