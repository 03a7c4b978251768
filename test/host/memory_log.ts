import { createJournal, type Log } from '../../src/host/journal.ts';

export type Line = Record<string, unknown> & { level: number; msg: string };

/** A real journal whose lines are kept, read back as JSON. */
export function memoryLog(): { log: Log; lines: Line[] } {
  const lines: Line[] = [];
  const { log } = createJournal({ level: 'trace', env: {}, write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
}
