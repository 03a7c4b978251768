/** True of `scripts/test --full`: large properties run at their full size, and like cases all of their steps. */
export const isFull = process.env.DUNLIN_TEST_SIZE === 'full';

/** Times that a property runs: `full` with `--full`, else `usual`. */
export function timesOf({ usual, full }: { usual: number; full: number }): number {
  return isFull ? full : usual;
}

/** Runs of a property that are enough for each day: a third of `full`, 20 at least; `full` with `--full`. */
export function sized(full: number): number {
  return isFull ? full : Math.max(20, Math.ceil(full / 3));
}
