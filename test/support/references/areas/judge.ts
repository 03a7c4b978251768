import type { AreaValue } from '../../../../src/geo/area_columns.ts';
import { metresBetween, type Place, placeAt } from '../../basics/place.ts';
import type { Inputs } from '../inputs.ts';
import { type Drawn, drawn, flying, type State } from './inputs.ts';
import { type AreaRow, asked, everywhereM, stateRow } from './probe.ts';
import { SlowShape } from './shape.ts';

const meanM = 6_371_008.8;
/** Moments at which a flight is looked at. */
const LOOKS = 240;

/** Distance of a case from the reference, its tolerance, and its description. */
export type Judged = { apart: number; what: string };

const free = { floorM: -Infinity, ceilingM: Infinity, measured: true, nearM: everywhereM };

/** A plane is told from the earth by so much over a distance. */
const planeM = (farM: number): number => 0.05 + farM ** 3 / (8 * meanM ** 2);

function told(what: string, drawn: Drawn, state: State, row: AreaRow | null): string {
  return `${what}: ${JSON.stringify({ ...drawn, ...state, row })}`;
}

/** Distance and containment of one place, held against geodesics and winding numbers. */
export function judgeDistance(make: Inputs, mostM: number, awayM: number): Judged {
  const thing = drawn(make, mostM);
  const state = flying(make, thing, awayM);
  const row = asked({ shape: thing.shape, ...free }, stateRow(state), 0);
  const slow = new SlowShape(thing.shape).distanceM(state.place);
  if (row === null) return { apart: Number.POSITIVE_INFINITY, what: told('nothing', thing, state, row) };
  const room = planeM(Math.max(thing.radiusM, metresBetween(thing.middle, state.place)));
  // Who is on the very edge may be on either side of it.
  const side = Math.abs(slow) > room && row.inside !== (slow < 0 ? 1 : 0) ? Number.POSITIVE_INFINITY : 0;
  const apart = Math.max(side, Math.abs(row.distanceM - slow) / room);
  return { apart, what: told(`${slow} m`, thing, state, row) };
}

/** The same of things that are too wide for a plane: they are seen from where the track is. */
export function judgeWide(make: Inputs): Judged {
  const thing = drawn(make, 3e6);
  const state = flying(make, thing, 100_000);
  const row = asked({ shape: thing.shape, ...free }, stateRow(state), 0);
  const slow = new SlowShape(thing.shape).distanceM(state.place);
  const room = 0.2 + Math.abs(slow) * 2e-4;
  const apart = row ? Math.abs(row.distanceM - slow) / room : slow > 0.999 * everywhereM ? 0 : Number.POSITIVE_INFINITY;
  return { apart, what: told(`${slow} m`, thing, state, row) };
}

/** Containment alone, of things of any width. */
export function judgeContainment(make: Inputs, mostM: number): Judged {
  const thing = drawn(make, mostM);
  const state = flying(make, thing, thing.radiusM / 4);
  const row = asked({ shape: thing.shape, ...free, measured: false, nearM: 0 }, stateRow(state), 0);
  const shape = new SlowShape(thing.shape);
  const polygons = thing.shape.type === 'Polygon' || thing.shape.type === 'MultiPolygon';
  const slow = polygons ? shape.holds(state.place) : shape.distanceM(state.place) <= 0;
  if ((row?.inside ?? 0) === (slow ? 1 : 0)) return { apart: 0, what: '' };
  // A great circle is not quite the ellipsoid's: corridors and circles that are wide differ by as much.
  const room = polygons ? 0.02 : planeM(thing.radiusM);
  return { apart: Math.abs(shape.distanceM(state.place)) / room, what: told(`${slow}`, thing, state, row) };
}

/** A flight on the ellipsoid, level or climbing at its rate, looked at from moment to moment. */
class SlowFlight {
  readonly #way: number;
  readonly #state: State;
  readonly #rate: number;

  constructor(state: State) {
    const [east, north] = state.velocity;
    this.#state = state;
    this.#rate = (Math.hypot(east, north) * meanM) / (meanM + state.altHaeM);
    this.#way = (Math.atan2(east, north) * 180) / Math.PI;
  }

  at(s: number): { place: Place; altHaeM: number } {
    const place = placeAt(this.#state.place, this.#way, this.#rate * s);
    return { place, altHaeM: this.#state.altHaeM + this.#state.velocity[2] * s };
  }
}

/**
 * What lies ahead, held against a flight looked at in small steps: nothing is nearer than the least distance told and at
 * its time it is so near; before the edge is crossed nothing changes sides; before the volume is entered nothing is in it.
 */
export function judgeApproach(make: Inputs, mostM: number, awayM: number, horizonS: number): Judged {
  const thing = drawn(make, mostM);
  const state = flying(make, thing, awayM);
  const [floorM = 0, ceilingM = 0] = [make.between(-100, 1_500), make.between(-100, 3_000)].sort((a, b) => a - b);
  const value: AreaValue = { shape: thing.shape, ...free, floorM, ceilingM };
  const row = asked(value, stateRow(state), horizonS);
  if (row === null) return { apart: Number.POSITIVE_INFINITY, what: told('nothing', thing, state, row) };
  const flight = new SlowFlight(state);
  const shape = new SlowShape(thing.shape);
  const distanceAt = (s: number): number => shape.quickM(flight.at(s).place);
  const speed = Math.hypot(...state.velocity.slice(0, 2));
  const room = planeM(thing.radiusM + metresBetween(thing.middle, state.place) + speed * horizonS);
  const looks = Array.from({ length: LOOKS + 1 }, (_, i) => (i * horizonS) / LOOKS);
  const seen = looks.map((s) => ({ s, distance: distanceAt(s), height: flight.at(s).altHaeM }));
  const faults: [string, number][] = [];
  const claim = (what: string, apart: number): void => void faults.push([what, apart]);
  const begins = seen[0]?.distance ?? Number.NaN;
  const isOnEdge = Math.abs(begins) <= 2 * room;

  if (begins > 0) {
    const least = Math.min(...seen.map(({ distance }) => distance));
    claim('something nearer', (row.passM - Math.max(0, least)) / room);
    if (row.passM > 0) claim('not so near then', Math.abs(distanceAt(row.passInS) - row.passM) / room);
  }
  if (!isOnEdge) {
    const until = Number.isNaN(row.edgeInS) ? horizonS : row.edgeInS;
    const other = seen.filter(({ s, distance }) => s < until && Math.sign(distance) !== Math.sign(begins));
    claim('other side before', Math.max(0, ...other.map(({ distance }) => Math.abs(distance) / room)));
    if (!Number.isNaN(row.edgeInS)) claim('not over the edge then', Math.abs(distanceAt(row.edgeInS)) / room);
  }
  const above = (height: number): number => Math.max(floorM - height, height - ceilingM);
  const entered = Number.isNaN(row.volumeInS) ? horizonS : row.volumeInS;
  const before = seen.filter(({ s, distance, height }) => s < entered && distance < 0 && above(height) < 0);
  // Just inside for a moment, in height or over the ground, may as well be outside.
  claim('in it before', Math.max(0, ...before.map((v) => Math.min(-v.distance / room, -above(v.height) / 0.01))));
  if (!Number.isNaN(row.volumeInS)) {
    const there = flight.at(row.volumeInS);
    claim('not in it then', Math.max(shape.quickM(there.place) / room, above(there.altHaeM) / 0.01));
  }
  const [what, apart] = faults.reduce((worst, one) => (one[1] > worst[1] || Number.isNaN(one[1]) ? one : worst));
  return { apart: Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart, what: told(what, thing, state, row) };
}

export function worstOf(count: number, one: () => Judged): Judged {
  let worst: Judged = { apart: -1, what: '' };
  for (let i = 0; i < count; i++) {
    const judged = one();
    if (judged.apart > worst.apart) worst = judged;
  }
  return worst;
}
