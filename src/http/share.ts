/** Returns the number of places that one sender may hold: a quarter of all, but at least one. */
export function shareOf(places: number): number {
  return Math.max(1, Math.floor(places / 4));
}
