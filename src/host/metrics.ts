import { assertNames, formatNumber, header, sample } from './metrics/exposition.ts';
import { createSeries, type Entry, type Labels, type Series } from './metrics/series.ts';

export { METRICS_CONTENT_TYPE } from './metrics/exposition.ts';
export { addProcessMetrics } from './metrics/process.ts';
export type { Labels } from './metrics/series.ts';

/** Function that reads the values of a metric when the page is requested, and calls `put` once for each series. */
type Collect = (put: (value: number, labels?: Labels) => void) => void;

export type Metrics = ReturnType<typeof createMetrics>;

type Family = { name: string; overflows(): number; write(): string };
type Cell = { value: number };

const cell = (): Cell => ({ value: 0 });

/**
 * Creates the registry of metrics. The declaration of a metric throws a TypeError if the name is invalid or already
 * used. Each metric has at most 1000 series.
 */
export function createMetrics() {
  const families = new Map<string, Family>();
  const failed = createSeries(['metric'], cell);
  const overflowed = createSeries(['metric'], cell);

  function declare(name: string, labels: readonly string[], write: () => string, overflows: () => number): void {
    assertNames(name, labels);
    if (families.has(name)) throw new TypeError(`the metric ${name} is declared twice`);
    families.set(name, { name, write, overflows });
  }

  function cells(type: string, name: string, help: string, labels: readonly string[]): Series<Cell> {
    const series = createSeries(labels, cell);
    // A metric without labels is on the page from the start, with 0. A metric with labels appears with its first
    // series.
    if (labels.length === 0) series.at({});
    declare(name, labels, () => header(name, help, type) + writeCells(name, labels, series), series.overflows);
    return series;
  }

  function readNow(type: string, name: string, help: string, labels: readonly string[], collect: Collect): string {
    const series = createSeries(labels, cell);
    collect((value, given = {}) => {
      series.at(given).value = value;
    });
    if (series.overflows() > 0) overflowed.at({ metric: name }).value += series.overflows();
    return header(name, help, type) + writeCells(name, labels, series);
  }

  function write(family: Family): string {
    try {
      return family.write();
    } catch {
      // A failure of one metric must not remove the other metrics from the page.
      failed.at({ metric: family.name }).value++;
      return '';
    }
  }

  return {
    counter(name: string, help: string, labels: readonly string[] = []) {
      const series = cells('counter', name, help, labels);
      return {
        add(by = 1, given: Labels = {}): void {
          if (by > 0) series.at(given).value += by;
        },
      };
    },
    gauge(name: string, help: string, labels: readonly string[] = []) {
      const series = cells('gauge', name, help, labels);
      return {
        set(value: number, given: Labels = {}): void {
          series.at(given).value = value;
        },
        remove: series.remove,
      };
    },
    histogram(name: string, help: string, buckets: readonly number[], labels: readonly string[] = []) {
      assertBounds(name, buckets);
      const series = createSeries(labels, () => freshHistogram(buckets));
      if (labels.length === 0) series.at({});
      const lines = () => [...series.entries()].map((entry) => writeHistogram(name, labels, buckets, entry)).join('');
      declare(name, labels, () => header(name, help, 'histogram') + lines(), series.overflows);
      return { observe: (value: number, given: Labels = {}) => observe(series.at(given), buckets, value) };
    },
    /** Declares a counter or gauge whose value is read when the page is requested. */
    read(type: 'counter' | 'gauge', name: string, help: string, labels: readonly string[], collect: Collect): void {
      declare(
        name,
        labels,
        () => readNow(type, name, help, labels, collect),
        () => 0,
      );
    },
    /** Returns the whole page in Prometheus' text format. */
    text(): string {
      const page = [...families.values()].map(write).join('');
      return page + writeOwn(families.values(), overflowed, failed);
    },
  };
}

function writeCells(name: string, labels: readonly string[], series: Series<Cell>): string {
  return [...series.entries()].map(({ values, state }) => sample(name, labels, values, state.value)).join('');
}

/**
 * Writes the metrics about the page itself: numbers of values counted under `other`, and of failed reads of metrics.
 */
function writeOwn(families: Iterable<Family>, overflowed: Series<Cell>, failed: Series<Cell>): string {
  const over = 'dunlin_metrics_overflow_total';
  const broken = 'dunlin_metrics_failed_total';
  let text = header(over, 'Values counted under "other" because a metric had too many series.', 'counter');
  for (const family of families) {
    if (family.overflows() > 0) text += sample(over, ['metric'], [family.name], family.overflows());
  }
  text += writeCells(over, ['metric'], overflowed);
  text += header(broken, 'Number of failed reads of a metric.', 'counter');
  return text + writeCells(broken, ['metric'], failed);
}

/** Number of values in each bucket (the last bucket is for values above all bounds), and the sum of all values. */
type HistogramState = { counts: number[]; sum: number };

function freshHistogram(bounds: readonly number[]): HistogramState {
  return { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
}

function observe(state: HistogramState, bounds: readonly number[], value: number): void {
  let bucket = 0;
  while (bucket < bounds.length && !(value <= (bounds[bucket] ?? 0))) bucket++;
  state.counts[bucket] = (state.counts[bucket] ?? 0) + 1;
  state.sum += value;
}

function assertBounds(name: string, bounds: readonly number[]): void {
  const rising = bounds.every((bound, i) => Number.isFinite(bound) && (i === 0 || bound > (bounds[i - 1] ?? 0)));
  if (bounds.length === 0 || !rising) throw new TypeError(`the buckets of ${name} must be finite and rise`);
}

function writeHistogram(
  name: string,
  names: readonly string[],
  bounds: readonly number[],
  { values, state }: Entry<HistogramState>,
): string {
  let text = '';
  let total = 0;
  const withBound = [...names, 'le'];
  state.counts.forEach((count, index) => {
    total += count;
    const bound = formatNumber(bounds[index] ?? Number.POSITIVE_INFINITY);
    text += sample(`${name}_bucket`, withBound, [...values, bound], total);
  });
  return `${text}${sample(`${name}_sum`, names, values, state.sum)}${sample(`${name}_count`, names, values, total)}`;
}
