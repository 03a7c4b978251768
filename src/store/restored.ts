import Database from 'better-sqlite3';
import { z } from 'zod';
import { actorSchema } from '../model/actor.ts';
import { timestamp } from '../model/scalar.ts';
import type { Ledger } from './ledger.ts';
import type { State } from './state.ts';

/** What the first start after a restore tells. */
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
 * Notes in a copied database that it comes from a backup. A backup of a running daemon has no mark of an orderly stop; its
 * hash was checked, so that nothing broke off. Its sessions end: some were signed out since.
 */
export function markRestored(path: string, restored: Restored): void {
  const db = new Database(path, { fileMustExist: true });
  try {
    const set = db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value');
    db.transaction(() => {
      set.run('clean_stop', '1');
      set.run('restored', JSON.stringify(restored));
      if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").get()) db.exec('DELETE FROM sessions');
    }).immediate();
  } finally {
    db.close();
  }
}

/** The first start after a restore writes it into the log, once. */
export function noteRestored({ db }: State, ledger: Ledger): void {
  const text = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'restored'").pluck().get();
  if (text === undefined) return;
  const read = restoredSchema.safeParse(JSON.parse(text));
  ledger.change('The note of the restore', () => {
    db.prepare("DELETE FROM meta WHERE key = 'restored'").run();
    if (!read.success) return { result: undefined, deed: null };
    const { by, ...after } = read.data;
    const deed = {
      kind: 'box.restored',
      severity: 'notice',
      text: `restored from the backup of ${after.made_at}`,
      by,
      workspaceId: null,
      after,
    } as const;
    return { result: undefined, deed };
  });
}
