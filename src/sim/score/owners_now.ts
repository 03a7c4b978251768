import { nearPairs } from './near_pairs.ts';
import type { Owner } from './owners.ts';
import type { Evaluation, Sky } from './tracking_score.ts';

type Found = Evaluation & {
  things: Sky;
  others: Sky;
  shown: Sky;
  /**
   * Positions that transmitters claim without a real object there. `claimOf` contains, for each claimed position, the
   * column (index in `shown`) of the track there; −1 for none.
   */
  claimed: Sky;
  claimOf: Int32Array;
  inventorOf(column: number): string | null;
};

/** Returns the owner of each track, by the track's index in `shown`. Tracks without an owner are left out. */
export function ownersOf(found: Found): Map<number, Owner> {
  const { things, trackOf, others, trackOfOther, claimed, claimOf, free, shown, inventorOf } = found;
  const owners = new Map<number, Owner>();
  const own = ({ ids }: Sky, columns: Int32Array, as: Owner['as']): void => {
    for (const [row, column] of columns.entries()) if (column >= 0) owners.set(column, { id: ids[row] ?? '', as });
  };
  own(things, trackOf, 'thing');
  own(others, trackOfOther, 'thing');
  own(claimed, claimOf, 'claim');
  const left = [...free].filter((column) => !owners.has(column));
  if (left.length === 0) return owners;
  const nearest = nearestOf([things, others], shown, left);
  for (const column of left) {
    const near = nearest.get(column);
    const inventor = near === undefined ? inventorOf(column) : null;
    if (near !== undefined) owners.set(column, { id: near, as: 'double' });
    else if (inventor !== null) owners.set(column, { id: inventor, as: 'claim' });
  }
  return owners;
}

/** Returns the id of the nearest object within the gate, for each track that has one. */
function nearestOf(skies: readonly Sky[], shown: Sky, columns: readonly number[]): Map<number, string> {
  const spots = Float64Array.from(columns.flatMap((column) => [...shown.spots.subarray(3 * column, 3 * column + 3)]));
  const nearest = new Map<number, { id: string; cost: number }>();
  for (const sky of skies)
    for (const [row, pairs] of nearPairs(spots, sky.spots).entries())
      for (const { column: at, cost } of pairs) {
        const column = columns[row] ?? -1;
        if (cost < (nearest.get(column)?.cost ?? Number.POSITIVE_INFINITY))
          nearest.set(column, { id: sky.ids[at] ?? '', cost });
      }
  return new Map(Array.from(nearest, ([column, { id }]) => [column, id]));
}
