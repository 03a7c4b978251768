export type Labels = Readonly<Record<string, string>>;

/** One series of a metric: the label values in the order of the label names, and the state. */
export type Entry<T> = { values: readonly string[]; state: T };

export type Series<T> = ReturnType<typeof createSeries<T>>;

const MAX_SERIES = 1_000;
const MAX_LABEL_CHARACTERS = 120;
const OTHER = 'other';

/**
 * Creates the map of a metric's series by their labels. Labels may come from outside (a sender's name), so the number
 * of series is limited to `maxSeries`. Further labels share one series, whose labels are all `other`.
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
      // Labels that are all `other` use the shared series, so that its line never occurs twice on the page.
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
    /** Returns how often a value was counted under `other`. */
    overflows: () => overflows,
  };
}

/** Replaces unpaired surrogates, which UTF-8 cannot encode, by the replacement character. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
