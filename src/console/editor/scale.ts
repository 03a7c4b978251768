import type { Volume } from './heights.ts';

export type Scale = { lowM: number; highM: number; yOf: (heightM: number) => number };

/** Least range of heights in the side view without its margins, m; the margins are shares of this range. */
const LEAST_SPAN_M = 100;
const FREE = { above: 0.3, below: 0.15 };

/** Vertical scale of a side view. Ground, floor and ceiling fit in it; tracks do not change it. */
export function scaleOf(
  { floorM, ceilingM }: Pick<Volume, 'floorM' | 'ceilingM'>,
  groundM: number | null,
  [topPx, bottomPx]: readonly [number, number],
): Scale {
  const known = [groundM, floorM, ceilingM].filter((heightM) => heightM !== null);
  const least = known.length === 0 ? 0 : Math.min(...known);
  const most = Math.max(least + LEAST_SPAN_M, ...known);
  const span = (most - least) * (ceilingM === null ? 1.4 : 1);
  const [lowM, highM] = [least - FREE.below * span, least + span * (1 + FREE.above)];
  const yOf = (heightM: number): number => {
    const shown = Math.min(highM, Math.max(lowM, heightM));
    return bottomPx - ((shown - lowM) / (highM - lowM)) * (bottomPx - topPx);
  };
  return { lowM, highM, yOf };
}

/** Baselines of texts, the highest first: each at least `gapPx` below the previous one, and none below `bottomPx`. */
export function apartDown(wantedPx: readonly number[], gapPx: number, bottomPx: number): number[] {
  const down: number[] = [];
  for (const y of wantedPx) down.push(Math.max(y, (down.at(-1) ?? Number.NEGATIVE_INFINITY) + gapPx));
  for (let index = down.length - 1, most = bottomPx; index >= 0; index--, most -= gapPx)
    down[index] = Math.min(down[index] as number, most);
  return down;
}
