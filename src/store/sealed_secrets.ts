import type { State } from './state.ts';

/** Returns the name under which the credentials of a link or outlet are sealed. */
export function credentialsSecretName(of: 'link' | 'outlet', id: string): string {
  return `${of}:${id}:credentials`;
}

/**
 * SQL statements for sealed secrets, by workspace and name. This module only stores the sealed bytes; it does not know
 * the key.
 */
export function sealedRows({ db }: State) {
  const get = db
    .prepare<[string, string], Buffer>('SELECT sealed FROM sealed_secrets WHERE workspace_id = ? AND name = ?')
    .pluck();
  const put = db.prepare<[string, string, Buffer, string]>(
    `INSERT INTO sealed_secrets (workspace_id, name, sealed, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (workspace_id, name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM sealed_secrets WHERE workspace_id = ? AND name = ?');
  return {
    get: (workspaceId: string, name: string) => get.get(workspaceId, name) ?? null,
    put: (workspaceId: string, name: string, sealed: Buffer, at: string) => void put.run(workspaceId, name, sealed, at),
    /** Deletes a sealed secret. Returns true if it existed. */
    remove: (workspaceId: string, name: string) => remove.run(workspaceId, name).changes > 0,
  };
}
