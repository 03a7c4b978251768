export type Labels = Readonly<Record<string, string>>;

/** One series of a metric: its label values, in the order of the label names, and its state. */
export type Entry<T> = { values: readonly string[]; state: T };

export type Series<T> = ReturnType<typeof createSeries<T>>;

const MAX_SERIES = 1_000;
const MAX_LABEL_CHARACTERS = 120;
const OTHER = 'other';

/**
 * The series of one metric by their labels. Labels may come from outside (a sender's name), so their number is limited
 * to `maxSeries`: further ones share a series whose labels are all `other`.
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
      // One place is reserved for `other` itself, so that its line never occurs twice on the page.
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
    /** Number of new series that were beyond the limit. */
    overflows: () => overflows,
  };
}

/** Replaces unpaired surrogates, which UTF-8 cannot encode, by the replacement character. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
