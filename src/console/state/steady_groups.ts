/** Time for which a track stays in the group that it left, ms: groups are formed anew each second. */
const STAYS_MS = 10_000;

/**
 * Groups of tracks for lists that fold by group. A list would jump with each track that leaves its group for a second.
 * While a person points at the list, each track keeps its group.
 */
export class SteadyGroups {
  #known = new Map<string, { group: string | null; atMs: number }>();

  /** Takes the present group of each track by its id. Returns the groups by which to fold. */
  take(present: ReadonlyMap<string, string | null>, isHeld: boolean, nowMs: number): Map<string, string | null> {
    const next = new Map<string, { group: string | null; atMs: number }>();
    for (const [id, group] of present) {
      const was = this.#known.get(id);
      const stays = was !== undefined && (isHeld || (group === null && nowMs - was.atMs < STAYS_MS));
      const atMs = stays && group !== was.group ? was.atMs : nowMs;
      next.set(id, { group: stays ? was.group : group, atMs });
    }
    this.#known = next;
    return new Map([...next].map(([id, { group }]) => [id, group]));
  }
}
