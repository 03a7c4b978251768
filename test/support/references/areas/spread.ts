import type { AreaValue } from '../../../../src/geo/area_columns.ts';
import type { Inputs } from '../inputs.ts';
import { at, cell, column, type Matrix, times } from '../matrix.ts';
import { drawn, flying, type State } from './inputs.ts';
import type { Judged } from './judge.ts';
import { type AreaRow, asked, everywhereM, stateRow } from './probe.ts';

/** What is told with a 1-sigma, and that. */
const pairs = [
  ['distanceM', 'distanceSigmaM'],
  ['passM', 'passSigmaM'],
  ['passInS', 'passInSigmaS'],
  ['edgeInS', 'edgeInSigmaS'],
  ['volumeInS', 'volumeInSigmaS'],
] as const;

/** Small against what an edge is long, large against how exactly numbers are told. */
const steps = [0.05, 0.05, 0.05, 0.002, 0.002, 0.002];

/**
 * Every sigma against the covariance carried over by differences: the state is shifted a little along each axis and asked
 * again. Where a shift leads to another edge there is no derivative; such cases are left out.
 */
export function judgeSigmas(make: Inputs): Judged & { held: number } {
  const thing = drawn(make, 5_000);
  const state = flying(make, thing, 5_000);
  // Farther up, a step to the east turns the axes in which the velocity is told.
  if (Math.abs(state.place.lat) > 60) return { apart: 0, what: '', held: 0 };
  const sd = [make.spread(1, 50), make.spread(0.1, 5)];
  const covariance = make.covariance(6, (i) => at(sd, i < 3 ? 0 : 1) * make.between(0.5, 2));
  const value = {
    shape: thing.shape,
    floorM: make.between(0, 300),
    ceilingM: 1_500,
    measured: true,
    nearM: everywhereM,
  };
  const row = ask(value, state, covariance);
  let [apart, what, held] = [0, '', 0];
  for (const [name, sigma] of pairs) {
    const gradient = gradientOf(value, state, name, row[name]);
    if (gradient === null || row[name] === 0) continue;
    const slow = Math.sqrt(Math.max(0, cell(times([gradient], covariance, column(gradient)), 0, 0)));
    // Where hardly anything moves it, differences are noise.
    const off = Math.abs(row[sigma] - slow) / (0.02 * slow + 0.02);
    held++;
    if (off <= apart) continue;
    [apart, what] = [off, `${name}: ${slow} by differences, ${JSON.stringify({ ...thing, ...state, row })}`];
  }
  return { apart, what, held };
}

function ask(value: AreaValue, state: State, covariance?: Matrix): AreaRow {
  const row = asked(value, stateRow(state, covariance), 120);
  if (row === null) throw new Error('nothing was told');
  return row;
}

/** By differences of two widths, where both agree; null where they do not. */
function gradientOf(value: AreaValue, state: State, name: (typeof pairs)[number][0], here: number): number[] | null {
  if (!Number.isFinite(here)) return null;
  const gradient: number[] = [];
  for (const [axis, step] of steps.entries()) {
    const [wide = Number.NaN, narrow = Number.NaN] = [step, step / 2].map(
      (h) => (of(value, shifted(state, axis, h), name) - of(value, shifted(state, axis, -h), name)) / (2 * h),
    );
    const one = (of(value, shifted(state, axis, step), name) - here) / step;
    const other = (here - of(value, shifted(state, axis, -step), name)) / step;
    const scale = Math.abs(narrow) + 1e-3;
    if (!(Math.abs(wide - narrow) < 1e-2 * scale) || !(Math.abs(one - other) < 0.05 * scale)) return null;
    gradient.push(narrow);
  }
  return gradient;
}

const of = (value: AreaValue, state: State, name: (typeof pairs)[number][0]): number => ask(value, state)[name];

/** A little off along one of east, north, up, and of the velocity's three. */
function shifted(state: State, axis: number, by: number): State {
  const { place, altHaeM, velocity } = state;
  if (axis >= 3) {
    const [east, north, up] = velocity.map((v, i) => (i === axis - 3 ? v + by : v));
    return { ...state, velocity: [east ?? 0, north ?? 0, up ?? 0] };
  }
  if (axis === 2) return { ...state, altHaeM: altHaeM + by };
  const lat = (place.lat * Math.PI) / 180;
  const e2 = 0.00669437999014;
  const w2 = 1 - e2 * Math.sin(lat) ** 2;
  const normal = 6_378_137 / Math.sqrt(w2);
  const degrees = (by * 180) / Math.PI;
  return axis === 0
    ? { ...state, place: { lat: place.lat, lon: place.lon + degrees / ((normal + altHaeM) * Math.cos(lat)) } }
    : { ...state, place: { lat: place.lat + degrees / ((normal * (1 - e2)) / w2 + altHaeM), lon: place.lon } };
}
