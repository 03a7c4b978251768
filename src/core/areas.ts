import { type AreasHandle, addon } from '../geo/addon.ts';
import { MOST_THING_POSITIONS, MOST_THINGS, type ThingValue, thingColumns } from '../geo/thing_columns.ts';
import { AREA, AREA_HEAD, AREA_STATE } from '../model/area_row.ts';
import type { Tracker } from './tracker.ts';

/** Rows that one track has at most: the nearest things measured for threat, and the nearest others. */
const MOST_MEASURED = 8;
const MOST_CONTAINED = 8;
const MOST_EACH = MOST_MEASURED + MOST_CONTAINED;

const sentences: Record<number, string> = {
  [-1]: 'there are no such areas',
  [-2]: 'an argument has a wrong type or length',
  [-3]: 'there are more tracks than there was room for',
  [-11]: `there are more than ${MOST_THINGS} things`,
  [-12]: `things have more positions than the ${MOST_THING_POSITIONS} of all, or 10000 of one, that are taken`,
  [-13]: 'a thing has a number out of its range, or its rings do not add up',
  [-14]: 'a thing has a position that is no place on the earth',
  [-15]: 'a polygon reaches more than 60 degrees from its middle',
  [-16]: 'a ring is not closed, or there is nothing inside it',
  [-17]: 'polygons of one thing cross each other too often',
};

/** Heads and rows of one measuring, in the columns of model/area_row.ts: views that hold until the next. */
export type AreaRows = { heads: Float64Array; rows: Float64Array };

/** The zones and assets of one world, as the native side holds them; see native/areas. */
export class Areas {
  readonly #handle: AreasHandle = addon.makeAreas();
  readonly #heads: Float64Array;
  readonly #rows: Float64Array;
  readonly #counts = new Float64Array(2);

  static readonly mostMeasured = MOST_MEASURED;
  static readonly mostContained = MOST_CONTAINED;

  /** With room for so many tracks. */
  constructor(maxTracks: number) {
    this.#heads = new Float64Array(maxTracks * AREA_HEAD.width);
    this.#rows = new Float64Array(maxTracks * MOST_EACH * AREA.width);
  }

  /** All things anew; rows name them by their places in the list. Where one is wrong, those before stay. */
  set(things: readonly ThingValue[]): void {
    const { things: columns, rings, positions } = thingColumns(things);
    const faulty = new Float64Array(1);
    const code = addon.setAreas(this.#handle, columns, rings, positions, faulty);
    if (code < 0) throw new Error(`${sentence(code)}; it is number ${faulty[0]}`);
  }

  /**
   * Every track that has a place, as of `nowS`, and what it does within `horizonS` if it flies on as it does; of tracks that
   * are `chosen`, by their numbers in rising order, only those. In brief no sigma is told but `volumeInSigmaS`.
   */
  measure(
    tracker: Tracker,
    nowS: number,
    horizonS: number,
    chosen: Float64Array | null = null,
    { brief = false } = {},
  ): AreaRows {
    const [handle, heads, rows, counts] = [this.#handle, this.#heads, this.#rows, this.#counts];
    return this.#told(addon.measureTracks(handle, tracker.handle, chosen, nowS, horizonS, heads, rows, counts, brief));
  }

  /** States in the columns of `AREA_STATE`; those without a place have no head. */
  measureStates(states: Float64Array, horizonS: number): AreaRows {
    const [heads, rows] = [this.#heads, this.#rows];
    return this.#told(addon.measureStates(this.#handle, states, horizonS, heads, rows, this.#counts));
  }

  #told(code: number): AreaRows {
    if (code < 0) throw new Error(sentence(code));
    const [heads = 0, rows = 0] = this.#counts;
    return {
      heads: this.#heads.subarray(0, heads * AREA_HEAD.width),
      rows: this.#rows.subarray(0, rows * AREA.width),
    };
  }
}

/** Room for so many states, all unknown. */
export function areaStates(count: number): Float64Array {
  return new Float64Array(count * AREA_STATE.width).fill(Number.NaN);
}

function sentence(code: number): string {
  return `the areas refused: ${sentences[code] ?? `code ${code}`}`;
}
