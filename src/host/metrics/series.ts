export type Labels = Readonly<Record<string, string>>;

/** One line (or, of a histogram, one set of lines) of a metric: the values of its labels, in the order of their names. */
export type Entry<T> = { values: readonly string[]; state: T };

export type Series<T> = ReturnType<typeof createSeries<T>>;

const MAX_SERIES = 1_000;
const MAX_LABEL_CHARACTERS = 120;
const OTHER = 'other';

/**
 * The series of one metric by their labels. Labels may come from outside (a sender's name), so there are at most
 * `maxSeries` of them: later ones share a series whose labels are all `other`.
 */
export function createSeries<T>(names: readonly string[], fresh: () => T, maxSeries = MAX_SERIES) {
  const entries = new Map<string, Entry<T>>();
  let other: Entry<T> | null = null;
  let overflows = 0;

  const valuesOf = (labels: Labels): string[] =>
    names.map((name) => wellFormed((labels[name] ?? '').slice(0, MAX_LABEL_CHARACTERS)));
  const keyOf = (values: string[]): string => (values.length === 1 ? (values[0] ?? '') : JSON.stringify(values));

  function overflow(): T {
    overflows++;
    other ??= { values: names.map(() => OTHER), state: fresh() };
    return other.state;
  }

  return {
    at(labels: Labels): T {
      const values = valuesOf(labels);
      const key = keyOf(values);
      const known = entries.get(key);
      if (known !== undefined) return known.state;
      // One place is kept for `other` itself, so that its line can never stand twice on the page.
      const reserved = names.length > 0 && values.every((value) => value === OTHER);
      if (reserved || entries.size >= maxSeries - 1) return overflow();
      const entry = { values, state: fresh() };
      entries.set(key, entry);
      return entry.state;
    },
    remove(labels: Labels): void {
      entries.delete(keyOf(valuesOf(labels)));
    },
    *entries(): Generator<Entry<T>> {
      yield* entries.values();
      if (other !== null) yield other;
    },
    /** Number of times that a new series found no room. */
    overflows: () => overflows,
  };
}

/** Half a character, which the page's UTF-8 cannot hold, becomes the replacement character before it can name a series. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
