/** How many of `places` one sender may hold, so that no four of them take all: a quarter, and one at least. */
export function shareOf(places: number): number {
  return Math.max(1, Math.floor(places / 4));
}
