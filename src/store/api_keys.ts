import type { Role } from '../model/actor.ts';
import type { State } from './state.ts';

/** An API key: only the SHA-256 of its secret is kept. Times are RFC 3339 UTC. */
export type KeyRow = {
  id: string;
  workspaceId: string;
  name: string;
  prefix: string;
  hash: string;
  role: Role;
  mayCommand: boolean;
  createdAt: string;
  createdBy: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export type KeyRows = {
  /** The newest first, revoked ones included. */
  list(workspaceId: string): KeyRow[];
  get(id: string): KeyRow | null;
  byHash(hash: string): KeyRow | null;
  /** How many are not revoked. */
  alive(workspaceId: string): number;
  insert(row: KeyRow): void;
  revoke(id: string, at: string): void;
  used(id: string, at: string): void;
  /** Forgets all but the `keep` newest of those that were revoked. */
  forgetRevoked(workspaceId: string, keep: number): void;
};

type Stored = Omit<KeyRow, 'mayCommand'> & { mayCommand: number };

const columns = `id, workspace_id AS workspaceId, name, prefix, hash, role, may_command AS mayCommand,
  created_at AS createdAt, created_by AS createdBy, last_used_at AS lastUsedAt, revoked_at AS revokedAt`;

export function keyRows({ db }: State): KeyRows {
  const list = db.prepare<[string], Stored>(
    `SELECT ${columns} FROM api_keys WHERE workspace_id = ? ORDER BY created_at DESC, id`,
  );
  const get = db.prepare<[string], Stored>(`SELECT ${columns} FROM api_keys WHERE id = ?`);
  const byHash = db.prepare<[string], Stored>(`SELECT ${columns} FROM api_keys WHERE hash = ?`);
  const alive = db.prepare<[string], { alive: number }>(
    'SELECT count(*) AS alive FROM api_keys WHERE workspace_id = ? AND revoked_at IS NULL',
  );
  const insert = db.prepare<[Stored]>(
    `INSERT INTO api_keys (id, workspace_id, name, prefix, hash, role, may_command, created_at, created_by, last_used_at,
       revoked_at)
     VALUES (@id, @workspaceId, @name, @prefix, @hash, @role, @mayCommand, @createdAt, @createdBy, @lastUsedAt, @revokedAt)`,
  );
  const revoke = db.prepare<[string, string]>('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const used = db.prepare<[string, string]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  const forget = db.prepare<[string, number]>(
    `DELETE FROM api_keys WHERE id IN
       (SELECT id FROM api_keys WHERE workspace_id = ? AND revoked_at IS NOT NULL
        ORDER BY revoked_at DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    list: (workspaceId) => list.all(workspaceId).map(rowOf),
    get: (id) => rowOrNull(get.get(id)),
    byHash: (hash) => rowOrNull(byHash.get(hash)),
    alive: (workspaceId) => alive.get(workspaceId)?.alive ?? 0,
    insert: (row) => void insert.run({ ...row, mayCommand: row.mayCommand ? 1 : 0 }),
    revoke: (id, at) => void revoke.run(at, id),
    used: (id, at) => void used.run(at, id),
    forgetRevoked: (workspaceId, keep) => void forget.run(workspaceId, keep),
  };
}

function rowOf(stored: Stored): KeyRow {
  return { ...stored, mayCommand: stored.mayCommand === 1 };
}

function rowOrNull(stored: Stored | undefined): KeyRow | null {
  return stored === undefined ? null : rowOf(stored);
}
