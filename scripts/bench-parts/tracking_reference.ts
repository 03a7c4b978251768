import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackingFolder } from './tracking_scenarios.ts';

/** What the prototype to beat reached on the scenarios as they lie there. */
export type TrackingReference = { gospa: number; idRight: number };

/** Reads the table of the scenarios' README: its columns by their titles, its rows by scenario. */
export function trackingReference(): Map<string, TrackingReference> {
  return referenceOf(readFileSync(join(trackingFolder, 'README.md'), 'utf8'));
}

function referenceOf(text: string): Map<string, TrackingReference> {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const titles = rows.findIndex((row) => row.includes('GOSPA'));
  const [gospa, idRight] = ['GOSPA', 'id right'].map((title) => rows[titles]?.indexOf(title) ?? -1);
  if (titles < 0 || gospa === undefined || idRight === undefined || gospa < 0 || idRight < 0)
    throw new Error("the scenarios' README has no table with GOSPA and id right");
  // Behind the titles stands the rule below them.
  const scores = rows.slice(titles + 2);
  return new Map(scores.map((row) => [row[1] ?? '', { gospa: Number(row[gospa]), idRight: Number(row[idRight]) }]));
}
