import type { Role } from '../model/actor.ts';
import type { State } from './state.ts';
import { flag, orNull, plain, type RowOf, Statements, table, text } from './table.ts';

/** API keys. Only the SHA-256 of a secret is stored. Times are RFC 3339 UTC. */
const keys = table('api_keys', 'key', {
  id: text,
  workspace_id: text,
  name: text,
  prefix: text,
  hash: text,
  role: plain<Role>(),
  may_command: flag,
  created_at: text,
  created_by: text,
  last_used_at: orNull(text),
  revoked_at: orNull(text),
});
export type KeyRow = RowOf<typeof keys>;

export function keyRows({ db }: State) {
  const rows = new Statements(db, keys);
  const alive = db
    .prepare<[string], number>('SELECT count(*) FROM api_keys WHERE workspace_id = ? AND revoked_at IS NULL')
    .pluck();
  const revoke = db.prepare<[string, string]>('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const used = db.prepare<[string, string]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  return {
    /** Returns all keys of a workspace, including revoked keys; the newest first. */
    list: rows.all<[workspaceId: string]>('workspace_id = ? ORDER BY created_at DESC, id'),
    get: rows.one<[id: string]>('id = ?'),
    byHash: rows.one<[hash: string]>('hash = ?'),
    /** Returns the number of keys that are not revoked. */
    alive: (workspaceId: string) => alive.get(workspaceId) ?? 0,
    insert: rows.insert(),
    revoke: (id: string, at: string) => void revoke.run(at, id),
    used: (id: string, at: string) => void used.run(at, id),
    /** Deletes the revoked keys of a workspace, except the `keep` most recently revoked ones. */
    forgetRevoked: rows.delete<[workspaceId: string, keep: number]>(
      `id IN (SELECT id FROM api_keys WHERE workspace_id = ? AND revoked_at IS NOT NULL
         ORDER BY revoked_at DESC LIMIT -1 OFFSET ?)`,
    ),
  };
}
