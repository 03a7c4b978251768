import { z } from 'zod';
import { actorSchema } from '../model/actor.ts';
import { timestamp } from '../model/scalar.ts';
import { parsedNote, readMeta, withDatabase, writeMeta } from './database.ts';
import type { Ledger } from './ledger.ts';
import type { State } from './state.ts';

/** Record of a restore in the database; the first start afterwards makes it an audit row. */
const named = z.object({ id: z.string(), name: z.string() });
const restoredSchema = z.strictObject({
  made_at: timestamp,
  restored_at: timestamp,
  by: actorSchema,
  returned_keys: z.array(named).optional(),
  revoked_keys: z.array(named).optional(),
  returned_users: z.array(named).optional(),
});
export type Restored = z.infer<typeof restoredSchema>;

/**
 * Records in a copied database that it comes from a backup. A backup of a running daemon lacks the mark of a clean
 * stop. Its hashes were checked, so the mark is set here. All its sessions are deleted, because people may have signed
 * out since the backup.
 */
export function markRestored(path: string, restored: Restored): void {
  withDatabase(path, {}, (db) =>
    db
      .transaction(() => {
        writeMeta(db, 'clean_stop', '1');
        writeMeta(db, 'restored', JSON.stringify(restored));
        if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").get()) db.exec('DELETE FROM sessions');
      })
      .immediate(),
  );
}

/** Writes the audit row of a restore at the first start afterwards. */
export function noteRestored({ db }: State, ledger: Ledger): void {
  const note = parsedNote(readMeta(db, 'restored'), restoredSchema);
  if (note === null) return;
  ledger.change('The note of the restore', () => {
    db.prepare("DELETE FROM meta WHERE key = 'restored'").run();
    if (note === 'unreadable') return { result: undefined, deed: null };
    const { by, ...after } = note;
    const text = `restored from the backup of ${after.made_at}`;
    const deed = { kind: 'box.restored', severity: 'notice', text, by, workspaceId: null, after } as const;
    return { result: undefined, deed };
  });
}
