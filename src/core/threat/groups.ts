import { type Member, partiesOf } from './parties.ts';

export type { Member } from './parties.ts';

/** Least number of aircraft that make a group. */
export const LEAST_OF_A_GROUP = 3;

/** A group by its key, which is its own for as long as it lives. */
export type Grouped = { key: number; size: number };

/**
 * Aircraft that fly together share a key. A group keeps its key while aircraft come and go; where it parts, the greater
 * part keeps it; where two join, that of the more remains. In order of time, and in no other order, the same tracks give
 * the same keys.
 */
export class Groups {
  #lastKey: number;
  /** By track number. */
  #keys = new Map<number, number>();

  /** `lastKey`: the highest that was given before. */
  constructor(lastKey = 0) {
    this.#lastKey = lastKey;
  }

  get lastKey(): number {
    return this.#lastKey;
  }

  /** Looks at where everybody is now; answers by track number, those that fly alone left out. */
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

  /** Each key goes to the party with the most of its bearers; a party without any begins one. */
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
