import type { SiteThing } from '../site/site.ts';

/** Of one thing, in a row. */
export const SCORED = {
  groundAltHaeM: 0,
  /** Above the ground where `aboveGround` is 1, else above the ellipsoid. */
  floorM: 1,
  ceilingM: 2,
  aboveGround: 3,
  /** How high the ground is that its heights are over; NaN where they are not over the ground. */
  overGroundM: 4,
  width: 5,
} as const;

/** What every track's score asks of the things of a site, in rows: as objects they lie all over the memory. */
export class ScoredThings {
  readonly list: readonly SiteThing[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly kinds: readonly SiteThing['kind'][];
  /** What each counts; 0 of what is not scored. Apart from the rest: this is asked of all that are near. */
  readonly importances: Float64Array;
  readonly numbers: Float64Array;
  /** Those of which importance and numbers are all the same have the same number here. */
  readonly sorts: Int32Array;

  constructor(things: readonly SiteThing[]) {
    this.list = things;
    this.ids = things.map(({ id }) => id);
    this.names = things.map(({ name }) => name);
    this.kinds = things.map(({ kind }) => kind);
    this.importances = Float64Array.from(things, ({ importance }) => importance);
    this.numbers = new Float64Array(things.length * SCORED.width);
    const sorts = new Map<string, number>();
    this.sorts = new Int32Array(things.length);
    for (const [i, thing] of things.entries()) {
      const row = rowOf(thing);
      this.numbers.set(row, i * SCORED.width);
      const sort = [thing.importance, ...row].join();
      if (!sorts.has(sort)) sorts.set(sort, sorts.size);
      this.sorts[i] = sorts.get(sort) ?? 0;
    }
  }
}

let last = new ScoredThings([]);

/** Of a list, which is never changed: mostly that which was asked for before. */
export function scoredThings(things: readonly SiteThing[]): ScoredThings {
  if (things !== last.list) last = new ScoredThings(things);
  return last;
}

function rowOf({ groundAltHaeM, aboveGround, value, zone }: SiteThing): Float64Array {
  const row = new Float64Array(SCORED.width);
  const { floorM, ceilingM } = aboveGround ?? value;
  row[SCORED.groundAltHaeM] = groundAltHaeM;
  row[SCORED.floorM] = floorM;
  row[SCORED.ceilingM] = ceilingM;
  row[SCORED.aboveGround] = aboveGround ? 1 : 0;
  row[SCORED.overGroundM] = zone?.overGround ? zone.groundAltHaeM : Number.NaN;
  return row;
}
