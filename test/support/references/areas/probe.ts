import { Areas, areaStates } from '../../../../src/core/tracking/areas.ts';
import type { AreaValue } from '../../../../src/geo/area_columns.ts';
import { AREA, AREA_STATE } from '../../../../src/model/rows/layouts.ts';
import { packed } from '../gaussian.ts';
import { block, type Matrix } from '../matrix.ts';
import type { State } from './inputs.ts';

export type AreaRow = Record<Exclude<keyof typeof AREA, 'width'>, number>;

/** Everything within reach is told of. */
export const everywhereM = 1e6;

export function stateRow(state: State, covariance?: Matrix): Float64Array {
  const row = areaStates(1);
  row.set([1, state.place.lat, state.place.lon, state.altHaeM, ...state.velocity]);
  if (covariance) {
    row.set(packed(block(covariance, 0, 0, 3, 3)), AREA_STATE.covPlaceM2);
    row.set(block(covariance, 0, 3, 3, 3).flat(), AREA_STATE.covMixedM2ps);
    row.set(packed(block(covariance, 3, 3, 3, 3)), AREA_STATE.covVelocityM2ps2);
  }
  return row;
}

const areas = new Areas(1);
const columns = Object.entries(AREA).filter(([name]) => name !== 'width');

/** What the addon says of one state against one thing; null where it tells nothing. */
export function asked(thing: AreaValue, row: Float64Array, horizonS: number): AreaRow | null {
  areas.set([thing]);
  const { rows } = areas.measureStates(row, horizonS);
  return rows.length === 0 ? null : rowAt(rows, 0);
}

export function rowAt(rows: Float64Array, index: number): AreaRow {
  const from = index * AREA.width;
  return Object.fromEntries(columns.map(([name, column]) => [name, rows[from + column] ?? Number.NaN])) as AreaRow;
}
