import type { Reserve } from './log_counter.ts';
import type { State } from './state.ts';

/** So many numbers a daemon sets aside at once: a write to the disk for each block of events, not for each event. */
export const BLOCK = 1_000;

/**
 * Log numbers set aside in the database, `size` at a time, above all that any process ever was given. The number of an
 * audit row is set aside in the transaction that writes the row.
 */
export function reserveIn(state: State, size: number): Reserve {
  const highest = state.db.prepare<[], { highest: number | null }>(
    `SELECT max(coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'log_seq'), 0),
       coalesce((SELECT max(seq) FROM audit), 0)) AS highest`,
  );
  const note = state.db.prepare<[string]>(
    "INSERT INTO meta VALUES ('log_seq', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  return (above) =>
    state.write('The numbers of the log', () => {
      const first = Math.max(above, highest.get()?.highest ?? 0) + 1;
      const last = first + size - 1;
      note.run(String(last));
      return { first, last };
    });
}
