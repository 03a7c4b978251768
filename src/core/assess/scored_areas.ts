import { type ScoredZoneKind, scoredZoneKinds } from '../../model/zone.ts';
import type { ProtectedArea } from '../site/site.ts';

/** Columns of `ScoredAreas.numbers`, one row per area. */
export const SCORED = {
  groundAltHaeM: 0,
  /** Height of the floor, m: above ground if `aboveGround` is 1, otherwise above the ellipsoid. */
  floorM: 1,
  ceilingM: 2,
  aboveGround: 3,
  /** Ellipsoidal height of the ground that floor and ceiling refer to, m; NaN if they do not refer to the ground. */
  overGroundM: 4,
  width: 5,
} as const;

/**
 * Values of areas that are read for each score. They are stored in arrays, because arrays are contiguous in memory,
 * unlike objects.
 */
export class ScoredAreas {
  readonly list: readonly ProtectedArea[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly kinds: readonly ProtectedArea['kind'][];
  /** Kinds of zones; null for assets and for zones without a score. */
  readonly zoneKinds: readonly (ScoredZoneKind | null)[];
  /**
   * Importance of each area; 0 for areas without a score. The array is separate from `numbers`, because it is read for
   * all near areas.
   */
  readonly importances: Float64Array;
  /** 1 for assets and zones of kind `protected`, otherwise 0. */
  readonly isProtected: Uint8Array;
  readonly numbers: Float64Array;
  /** Class of each area: areas with equal importance and equal `numbers` have the same class. */
  readonly sorts: Int32Array;

  constructor(protectedAreas: readonly ProtectedArea[]) {
    this.list = protectedAreas;
    this.ids = protectedAreas.map(({ id }) => id);
    this.names = protectedAreas.map(({ name }) => name);
    this.kinds = protectedAreas.map(({ kind }) => kind);
    this.zoneKinds = protectedAreas.map(({ zone }) => scoredZoneKinds.find((kind) => kind === zone?.kind) ?? null);
    this.importances = Float64Array.from(protectedAreas, ({ importance }) => importance);
    this.isProtected = Uint8Array.from(protectedAreas, ({ kind, zone }) =>
      kind === 'asset' || zone?.kind === 'protected' ? 1 : 0,
    );
    this.numbers = new Float64Array(protectedAreas.length * SCORED.width);
    const sorts = new Map<string, number>();
    this.sorts = new Int32Array(protectedAreas.length);
    for (const [i, protectedArea] of protectedAreas.entries()) {
      const row = rowOf(protectedArea);
      this.numbers.set(row, i * SCORED.width);
      const sort = [protectedArea.importance, ...row].join();
      if (!sorts.has(sort)) sorts.set(sort, sorts.size);
      this.sorts[i] = sorts.get(sort) ?? 0;
    }
  }
}

function rowOf({ groundAltHaeM, aboveGround, value, zone }: ProtectedArea): Float64Array {
  const row = new Float64Array(SCORED.width);
  const { floorM, ceilingM } = aboveGround ?? value;
  row[SCORED.groundAltHaeM] = groundAltHaeM;
  row[SCORED.floorM] = floorM;
  row[SCORED.ceilingM] = ceilingM;
  row[SCORED.aboveGround] = aboveGround ? 1 : 0;
  row[SCORED.overGroundM] = zone?.overGround ? zone.groundAltHaeM : Number.NaN;
  return row;
}
