import { type Member, partiesOf } from './parties.ts';

export type { Member } from './parties.ts';

/** Least number of aircraft that make a group. */
export const LEAST_OF_A_GROUP = 3;

/**
 * Number of updates, about one a second, for which an aircraft without a group remembers its last one. A group that
 * falls apart while one of three aircraft is not received thus forms again with its key.
 */
const REMEMBERED = 60;

/** One group: its number of aircraft, and its key, which never changes. */
export type Grouped = { key: number; size: number };

/**
 * Groups of aircraft that fly together, each with a key. A group keeps its key while aircraft join and leave, and if it
 * forms again within `REMEMBERED` updates. If it splits, the larger part keeps the key; if two groups merge, the key of the larger one remains. The same sequence of
 * inputs gives the same keys.
 */
export class Groups {
  #lastKey: number;
  /** Key of each track's group, by track number. */
  #keys = new Map<number, number>();
  /** Last key of each track without a group, by track number, and the number of the update that was the last with it. */
  #left = new Map<number, { key: number; update: number }>();
  #updates = 0;

  /** `lastKey` is the highest key assigned so far. */
  constructor(lastKey = 0) {
    this.#lastKey = lastKey;
  }

  get lastKey(): number {
    return this.#lastKey;
  }

  /**
   * Regroups the aircraft by their present positions and velocities. Returns each aircraft's group by track number.
   * Aircraft that fly alone or in pairs have no entry.
   */
  update(members: readonly Member[]): Map<number, Grouped> {
    const sorted = [...members].sort((a, b) => a.number - b.number);
    const parties = partiesOf(sorted, (number) => this.#keys.get(number) ?? 0).filter(
      (party) => party.length >= LEAST_OF_A_GROUP,
    );
    const keys = this.#keysFor(parties);
    const groups = new Map<number, Grouped>();
    const before = this.#keys;
    this.#keys = new Map();
    parties.forEach((party, i) => {
      const group = { key: keys[i] ?? 0, size: party.length };
      for (const number of party) {
        groups.set(number, group);
        this.#keys.set(number, group.key);
      }
    });
    this.#remember(before);
    return groups;
  }

  /** Remembers the keys of aircraft that have left their groups since the update with the keys `before`. */
  #remember(before: ReadonlyMap<number, number>): void {
    this.#updates++;
    for (const [number, key] of before) this.#left.set(number, { key, update: this.#updates });
    for (const [number, { update }] of this.#left)
      if (this.#keys.has(number) || this.#updates - update >= REMEMBERED) this.#left.delete(number);
  }

  /**
   * Assigns each existing key to the party (aircraft that fly together) with most of the aircraft that had this key. A
   * party gets only one key. A party without an existing key gets a new one.
   */
  #keysFor(parties: readonly (readonly number[])[]): number[] {
    const present = new Set(parties.flat().flatMap((number) => this.#keys.get(number) ?? []));
    const claims = parties.flatMap((party, i) =>
      [...this.#bearersIn(party, present)].map(([key, bearers]) => ({ party: i, key, bearers })),
    );
    claims.sort((a, b) => b.bearers - a.bearers || a.key - b.key || a.party - b.party);
    const keys: number[] = parties.map(() => 0);
    const given = new Set<number>();
    for (const { party, key } of claims) {
      if (keys[party] !== 0 || given.has(key)) continue;
      keys[party] = key;
      given.add(key);
    }
    return keys.map((key) => (key === 0 ? ++this.#lastKey : key));
  }

  /** Counts the aircraft of a party by key. A remembered key counts only if no aircraft has it now (`present`). */
  #bearersIn(party: readonly number[], present: ReadonlySet<number>): Map<number, number> {
    const bearers = new Map<number, number>();
    for (const number of party) {
      const left = this.#left.get(number)?.key;
      const key = this.#keys.get(number) ?? (left === undefined || present.has(left) ? undefined : left);
      if (key !== undefined) bearers.set(key, (bearers.get(key) ?? 0) + 1);
    }
    return bearers;
  }
}
