import type { AreaValue } from '../../../../src/geo/area_columns.ts';
import { metresBetween, type Place } from '../../basics/place.ts';
import { ecefOf } from '../earth.ts';
import { at } from '../matrix.ts';
import { angleBetween, dot, placeOf, upOf, type Vector, wayPoint, windingAbout } from './sphere.ts';

const meanM = 6_371_008.8;
/** Pieces of ways are no longer where they are taken for straight, m. */
const pieceM = 1_000;

type Way = { a: Vector; b: Vector; lengthM: number };
type Ground = readonly number[];

/** A thing as a slow and simple way of measuring sees it: rings that run round a place or not, ways that are near or far. */
export class SlowShape {
  readonly #polygons: readonly (readonly (readonly Vector[])[])[];
  readonly #ways: readonly Way[];
  readonly #sizeM: number;
  readonly #pieces: (readonly Ground[])[] = [];

  constructor(shape: AreaValue['shape']) {
    const lines =
      shape.type === 'Point'
        ? [[[shape.coordinates, shape.coordinates]]]
        : shape.type === 'LineString'
          ? [[shape.coordinates]]
          : shape.type === 'Polygon'
            ? [shape.coordinates]
            : shape.coordinates;
    this.#sizeM = shape.type === 'Point' ? shape.radius_m : shape.type === 'LineString' ? shape.width_m / 2 : 0;
    const ups = lines.map((rings) => rings.map((ring) => ring.map((position) => upOf(placeOf(position)))));
    this.#polygons = shape.type === 'Polygon' || shape.type === 'MultiPolygon' ? ups : [];
    this.#ways = ups.flat().flatMap((ring) =>
      ring.slice(1).map((b, i): Way => {
        const a = ring[i] ?? b;
        return { a, b, lengthM: angleBetween(a, b) * meanM };
      }),
    );
  }

  /** Inside where the rings of a polygon run round it an odd number of times. */
  holds(place: Place): boolean {
    const up = upOf(place);
    return this.#polygons.some((rings) => {
      // From the other side of the earth a ring looks the same.
      if (rings.some((ring) => ring.some((corner) => dot(corner, up) < -0.5))) return false;
      return rings.reduce((sum, ring) => sum + Math.abs(windingAbout(place, ring)), 0) % 2 === 1;
    });
  }

  /** Metres to the edge along the ellipsoid, negative inside: every way searched by halves. */
  distanceM(place: Place): number {
    const near = this.#ways.map((way) => ({ way, about: roughM(upOf(place), way) }));
    const least = Math.min(...near.map(({ about }) => about));
    const toWay = Math.min(
      ...near.filter(({ about }) => about <= 1.02 * least + 5).map(({ way }) => metresToWay(place, way)),
    );
    return this.#signed(place, toWay);
  }

  /** The same in the plane that touches the ellipsoid there: faster, and good to centimetres within 100 km. */
  quickM(place: Place): number {
    if (this.#pieces.length === 0) this.#pieces.push(...this.#ways.map(piecesOf));
    const [lat, lon] = [(place.lat * Math.PI) / 180, (place.lon * Math.PI) / 180];
    const from = ecefOf([place.lat, place.lon, 0]);
    const [sa, ca, so, co] = [Math.sin(lat), Math.cos(lat), Math.sin(lon), Math.cos(lon)];
    let least = Number.POSITIVE_INFINITY;
    for (const pieces of this.#pieces) {
      let [ax, ay] = [Number.NaN, Number.NaN];
      for (const piece of pieces) {
        const [dx, dy, dz] = [at(piece, 0) - at(from, 0), at(piece, 1) - at(from, 1), at(piece, 2) - at(from, 2)];
        const [bx, by] = [-so * dx + co * dy, -sa * co * dx - sa * so * dy + ca * dz];
        if (!Number.isNaN(ax)) least = Math.min(least, toSegment(ax, ay, bx, by));
        [ax, ay] = [bx, by];
      }
    }
    return this.#signed(place, meanM * Math.asin(Math.min(1, least / meanM)));
  }

  #signed(place: Place, toWay: number): number {
    return this.#polygons.length > 0 ? (this.holds(place) ? -toWay : toWay) : toWay - this.#sizeM;
  }
}

function piecesOf({ a, b, lengthM }: Way): Ground[] {
  const count = Math.max(1, Math.ceil(lengthM / pieceM));
  return Array.from({ length: count + 1 }, (_, i) => {
    const { lat, lon } = wayPoint(a, b, i / count);
    return ecefOf([lat, lon, 0]);
  });
}

function toSegment(ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length2 = dx * dx + dy * dy;
  const share = length2 > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2)) : 0;
  return Math.hypot(ax + share * dx, ay + share * dy);
}

/** On a sphere, by a hundred halvings less: which way may be the nearest. */
function roughM(up: Vector, { a, b }: Way): number {
  return searched((share) => meanM * angleBetween(up, upOf(wayPoint(a, b, share))), 12);
}

function metresToWay(place: Place, { a, b }: Way): number {
  return searched((share) => metresBetween(place, wayPoint(a, b, share)), 40);
}

/** The least of something that falls and then rises from 0 to 1: the golden section. */
function searched(of: (share: number) => number, rounds: number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [0, 1];
  let [c, d] = [1 - golden, golden];
  let [fc, fd] = [of(c), of(d)];
  for (let round = 0; round < rounds; round++) {
    if (fc < fd) {
      [high, d, fd] = [d, c, fc];
      c = high - golden * (high - low);
      fc = of(c);
    } else {
      [low, c, fc] = [c, d, fd];
      d = low + golden * (high - low);
      fd = of(d);
    }
  }
  return Math.min(fc, fd, of(0), of(1));
}
