import { cpus } from 'node:os';
import { type Row, verdict } from './row.ts';

const header = ['figure', 'value', 'unit', 'target', 'verdict'];

/** What the figures were measured on: without it they say nothing. */
export function machine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${model} × ${cpus().length}, Node ${process.version}`;
}

export function printRows(part: string, rows: readonly Row[]): void {
  const cells = rows.map((row) => [row.name, figure(row.value), row.unit, target(row), verdict(row)]);
  const widths = header.map((title, i) => Math.max(title.length, ...cells.map((cell) => (cell[i] ?? '').length)));
  const line = (cell: readonly string[]): string =>
    cell.map((text, i) => (i === 1 ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0))).join('  ');
  console.log(`\n${part}\n${[header, ...cells].map((cell) => line(cell).trimEnd()).join('\n')}`);
}

function target({ target }: Row): string {
  if (!target) return '';
  if ('atMost' in target) return `≤ ${figure(target.atMost)}`;
  if ('below' in target) return `< ${figure(target.below)}`;
  if ('atLeast' in target) return `≥ ${figure(target.atLeast)}`;
  return `${figure(target.within[0])} to ${figure(target.within[1])}`;
}

function figure(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits, useGrouping: false });
}
