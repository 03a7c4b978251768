/** 0 at or below `from`, 1 at or above `to`, straight between. NaN counts nothing. */
export function rise(value: number, from: number, to: number): number {
  return held((value - from) / (to - from));
}

/** 1 at or below `from`, 0 at or above `to`, straight between. NaN counts nothing. */
export function fall(value: number, from: number, to: number): number {
  return held((to - value) / (to - from));
}

/** As `fall`, but each doubling counts the same: for times, of which 10 s more matter at 20 s and not at 120 s. */
export function fallByRatio(value: number, from: number, to: number): number {
  if (value <= from) return 1;
  return value < to ? Math.log(to / value) / Math.log(to / from) : 0;
}

/** A share, no less than nothing and no more than all. */
export function held(share: number): number {
  return share > 0 ? (share < 1 ? share : 1) : 0;
}
