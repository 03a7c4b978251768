import { type Member, partiesOf } from './parties.ts';

export type { Member } from './parties.ts';

/** Least number of aircraft that make a group. */
export const LEAST_OF_A_GROUP = 3;

/** One group: its number of aircraft, and its key, which never changes. */
export type Grouped = { key: number; size: number };

/**
 * Groups of aircraft that fly together, each with a key. A group keeps its key while aircraft join and leave. If it
 * splits, the larger part keeps the key; if two groups merge, the key of the larger one remains. The same sequence of
 * inputs gives the same keys.
 */
export class Groups {
  #lastKey: number;
  /** Key of each track's group, by track number. */
  #keys = new Map<number, number>();

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
    this.#keys = new Map();
    parties.forEach((party, i) => {
      const group = { key: keys[i] ?? 0, size: party.length };
      for (const number of party) {
        groups.set(number, group);
        this.#keys.set(number, group.key);
      }
    });
    return groups;
  }

  /**
   * Assigns each existing key to the party (aircraft that fly together) with most of the aircraft that had this key. A
   * party gets only one key. A party without an existing key gets a new one.
   */
  #keysFor(parties: readonly (readonly number[])[]): number[] {
    const claims = parties.flatMap((party, i) =>
      [...this.#bearersIn(party)].map(([key, bearers]) => ({ party: i, key, bearers })),
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

  #bearersIn(party: readonly number[]): Map<number, number> {
    const bearers = new Map<number, number>();
    for (const number of party) {
      const key = this.#keys.get(number);
      if (key !== undefined) bearers.set(key, (bearers.get(key) ?? 0) + 1);
    }
    return bearers;
  }
}
