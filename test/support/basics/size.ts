/** True of `scripts/test --full`: large properties run at their full size, and like cases all of their steps. */
export const isFull = process.env.DUNLIN_TEST_SIZE === 'full';

/** Times that a property runs: `full` with `--full`, else `usual`. */
export function timesOf({ usual, full }: { usual: number; full: number }): number {
  return isFull ? full : usual;
}
