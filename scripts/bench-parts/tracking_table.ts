import type { TrackingReference } from './tracking_reference.ts';
import type { TrackingScore } from './tracking_score.ts';

/** Scores of one scenario over its seeds: figure by figure, and the reference for it. */
export type Scored = {
  name: string;
  mean: TrackingScore;
  deviation: TrackingScore;
  reference: TrackingReference | null;
};

type Column = { title: string; digits: number; value(scored: Scored): number };

const ours = (title: string, figure: keyof TrackingScore, digits: number): Column => ({
  title,
  digits,
  value: ({ mean }) => mean[figure],
});

const columns: readonly Column[] = [
  ours('GOSPA', 'gospa', 1),
  { title: 'ref', digits: 1, value: ({ reference }) => reference?.gospa ?? Number.NaN },
  { title: 'ratio', digits: 3, value: gospaRatio },
  ours('missed', 'missed', 2),
  ours('false', 'false', 2),
  ours('C', 'completeness', 3),
  ours('A', 'ambiguity', 2),
  ours('S', 'spuriousness', 3),
  ours('RMSE', 'rmseM', 1),
  ours('idsw', 'switches', 0),
  ours('breaks', 'breaks', 0),
  ours('id right', 'idRight', 3),
  { title: 'ref', digits: 3, value: ({ reference }) => reference?.idRight ?? Number.NaN },
  ours('id wrong', 'idWrong', 3),
  ours('friend s', 'falseFriendS', 0),
  ours('spoof', 'spoofFlagged', 3),
  ours('false flag', 'falseFlags', 4),
  ours('NEES', 'nees', 2),
  ours('µs/report', 'usPerReport', 1),
];

/** Our GOSPA as a share of the reference's: below 1 is better than it. */
export function gospaRatio({ mean, reference }: Scored): number {
  return reference === null ? Number.NaN : mean.gospa / reference.gospa;
}

/** A row for each scenario. */
export function scoreTable(scored: readonly Scored[]): string {
  return table(scored, columns);
}

/** The standard deviations over the seeds, in the columns of the same titles. */
export function deviationTable(scored: readonly Scored[]): string {
  const own = columns.filter(({ title }) => title !== 'ref' && title !== 'ratio');
  return table(
    scored.map((row) => ({ ...row, mean: row.deviation })),
    own.map((column) => ({ ...column, digits: Math.max(column.digits, 1) })),
  );
}

function table(scored: readonly Scored[], columns: readonly Column[]): string {
  const header = ['scenario', ...columns.map(({ title }) => title)];
  const body = scored.map((row) => [row.name, ...columns.map(({ digits, value }) => cell(value(row), digits))]);
  const rows = [header, ...body];
  const widths = header.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const pad = (text: string, i: number): string =>
    i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}

function cell(value: number, digits: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(digits);
}
