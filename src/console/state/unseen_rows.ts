/** A row of a list: the keys of the urgent things in it, and whether it is in view; null until that is known. */
export type InView = { keys: readonly string[]; isInView: boolean | null };

/**
 * Keys that are named, the index of the row to which a person is led, and whether some are below and above the view. The
 * row is that of the most urgent key; among equals, the next one below the view.
 */
export type Unseen = { keys: readonly string[]; firstRow: number; isBelow: boolean; isAbove: boolean };

export const NONE_UNSEEN: Unseen = { keys: [], firstRow: -1, isBelow: false, isAbove: false };

/**
 * Remembers which urgent things of a list were in view. A list that is scrolled, or whose order is held, would otherwise
 * take in a swarm without a visible change. `isAlwaysNamed` is true of a key that is named whenever its row is out of
 * view, also if the row was in view before.
 */
export class UnseenRows {
  #seen: ReadonlySet<string> = new Set();
  readonly #isAlwaysNamed: (key: string) => boolean;
  readonly #rankOf: (key: string) => number;

  constructor(isAlwaysNamed: (key: string) => boolean = () => false, rankOf: (key: string) => number = () => 0) {
    this.#isAlwaysNamed = isAlwaysNamed;
    this.#rankOf = rankOf;
  }

  /** Takes the rows as they are now. Returns `before` itself if nothing changed. */
  look(rows: readonly InView[], before: Unseen): Unseen {
    const present = rows.flatMap(({ keys, isInView }) => (isInView ? keys : keys.filter((key) => this.#seen.has(key))));
    this.#seen = new Set(present);
    const unseenIn = (row: InView): string[] =>
      row.isInView === false ? row.keys.filter((key) => this.#isAlwaysNamed(key) || !this.#seen.has(key)) : [];
    const keys = rows.flatMap(unseenIn);
    const viewRow = rows.findIndex(({ isInView }) => isInView === true);
    const found = rows.flatMap((row, index) => {
      const ranks = unseenIn(row).map(this.#rankOf);
      return ranks.length === 0 ? [] : [{ index, rank: Math.max(...ranks), isBelow: index > viewRow }];
    });
    const [best] = found.toSorted(
      (a, b) => b.rank - a.rank || Number(b.isBelow) - Number(a.isBelow) || a.index - b.index,
    );
    const firstRow = best?.index ?? -1;
    const isBelow = found.some((row) => row.isBelow);
    const isAbove = found.some((row) => !row.isBelow);
    const isSame = keys.join(' ') === before.keys.join(' ') && firstRow === before.firstRow;
    if (isSame && isBelow === before.isBelow && isAbove === before.isAbove) return before;
    return { keys, firstRow, isBelow, isAbove };
  }
}
