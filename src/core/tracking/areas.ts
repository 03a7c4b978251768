import { type AreasHandle, addon } from '../../geo/addon.ts';
import { type AreaValue, areaColumns } from '../../geo/area_columns.ts';
import { AREA, AREA_HEAD, AREA_STATE, AREAS_CODE, LIMIT, MEASURED_COUNTS } from '../../model/rows/layouts.ts';
import type { Tracker } from './tracker.ts';

/**
 * Greatest number of rows of one track: one half for the nearest areas whose approach is measured, the other half for
 * the nearest other areas.
 */
const MOST_EACH = 2 * LIMIT.areaRowsOfAKind;

const sentences: Record<number, string> = {
  [AREAS_CODE.noAreas]: 'the handle does not belong to a set of areas',
  [AREAS_CODE.wrongArguments]: 'an argument has a wrong type or length',
  [AREAS_CODE.noRoom]: 'there are more tracks than the result arrays can take',
  [AREAS_CODE.tooManyThings]: `there are more than ${LIMIT.things} areas`,
  [AREAS_CODE.tooManyPositions]: `the areas have more than ${LIMIT.thingPositions} positions, or one area has more than ${LIMIT.positionsOfOneThing}`,
  [AREAS_CODE.malformed]: 'an area has a number out of its range, or a wrong number of rings or positions',
  [AREAS_CODE.notOnEarth]: 'an area has a position with an invalid latitude or longitude',
  [AREAS_CODE.tooWide]: 'a polygon of an area reaches more than 60 degrees from its middle',
  [AREAS_CODE.emptyRing]: 'a ring is not closed, or encloses nothing',
  [AREAS_CODE.tangled]: 'polygons of one area cross each other too often',
};

/**
 * Result of one measurement, in the columns `area_head` and `area` of native/layouts.json. A head has a track's number,
 * and the position and number of its rows. Both arrays are views, valid until the next measurement.
 */
export type AreaRows = { heads: Float64Array; rows: Float64Array };

/** The zones and assets of one world in native memory; see native/areas. */
export class Areas {
  readonly #handle: AreasHandle = addon.makeAreas();
  readonly #heads: Float64Array;
  readonly #rows: Float64Array;
  readonly #counts = new Float64Array(MEASURED_COUNTS.width);

  static readonly mostMeasured = LIMIT.areaRowsOfAKind;
  static readonly mostContained = LIMIT.areaRowsOfAKind;

  /** Allocates the result arrays for at most `maxTracks` tracks. */
  constructor(maxTracks: number) {
    this.#heads = new Float64Array(maxTracks * AREA_HEAD.width);
    this.#rows = new Float64Array(maxTracks * MOST_EACH * AREA.width);
  }

  /**
   * Replaces all areas; rows refer to an area by its index in the list. Throws if an area is invalid; the previous
   * areas then stay in force.
   */
  set(protectedAreas: readonly AreaValue[]): void {
    const { protectedAreas: columns, rings, positions } = areaColumns(protectedAreas);
    const faulty = new Float64Array(1);
    const code = addon.setAreas(this.#handle, columns, rings, positions, faulty);
    if (code < 0) throw new Error(`${sentence(code)}; the index of the area is ${faulty[0]}`);
  }

  /**
   * Measures every track with a position, as of `nowS`, and its path within `horizonS` at constant velocity. `chosen`
   * limits the measurement to the tracks with these numbers, in ascending order; null measures all. With `brief`, rows
   * contain only one sigma, `volumeInSigmaS`.
   */
  measure(
    tracker: Tracker,
    nowS: number,
    horizonS: number,
    chosen: Float64Array | null = null,
    { brief = false } = {},
  ): AreaRows {
    const [handle, heads, rows, counts] = [this.#handle, this.#heads, this.#rows, this.#counts];
    return this.#published(
      addon.measureTracks(handle, tracker.handle, chosen, nowS, horizonS, heads, rows, counts, brief),
    );
  }

  /** Measures states given in the columns of `AREA_STATE`. A state without a position gets no head and no rows. */
  measureStates(states: Float64Array, horizonS: number): AreaRows {
    const [heads, rows] = [this.#heads, this.#rows];
    return this.#published(addon.measureStates(this.#handle, states, horizonS, heads, rows, this.#counts));
  }

  #published(code: number): AreaRows {
    if (code < 0) throw new Error(sentence(code));
    const count = (column: number): number => this.#counts[column] ?? 0;
    return {
      heads: this.#heads.subarray(0, count(MEASURED_COUNTS.heads) * AREA_HEAD.width),
      rows: this.#rows.subarray(0, count(MEASURED_COUNTS.rows) * AREA.width),
    };
  }
}

/** Returns an array for `count` states in which every value is unknown (NaN). */
export function areaStates(count: number): Float64Array {
  return new Float64Array(count * AREA_STATE.width).fill(Number.NaN);
}

function sentence(code: number): string {
  return `the native areas refused their input: ${sentences[code] ?? `code ${code}`}`;
}
