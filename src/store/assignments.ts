import type { Assignment } from '../model/assignment.ts';
import type { State } from './state.ts';
import type { Scope } from './workspaces.ts';

/** An assignment of a workspace's environment, with its wire names. */
export type AssignmentRecord = Assignment & { workspace_id: string; environment: Scope['environment'] };

/** The statements of the table `assignments`; each runs inside a change of the ledger. */
export type AssignmentRows = {
  /** Newest first. */
  list(scope: Scope): AssignmentRecord[];
  insert(record: AssignmentRecord): void;
  update(record: AssignmentRecord): void;
};

type Stored = Omit<AssignmentRecord, 'active' | 'confirmed'> & { active: number; confirmed: number };

const columns = [
  'id',
  'workspace_id',
  'environment',
  'asset_id',
  'serial',
  'name',
  'affiliation',
  'active',
  'operator',
  'role',
  'reason',
  'source',
  'confirmed',
  'created_at',
  'created_by',
  'superseded_at',
  'superseded_by',
  'expires_at',
  'version',
  'updated_at',
] as const;
const fixed = ['id', 'workspace_id', 'environment', 'asset_id', 'source', 'created_at', 'created_by'];

export function assignmentRows(state: State): AssignmentRows {
  const { db } = state;
  const list = db.prepare<[Scope], Stored>(
    `SELECT ${columns.join(', ')} FROM assignments WHERE workspace_id = @workspaceId AND environment = @environment
     ORDER BY created_at DESC, rowid DESC`,
  );
  const insert = db.prepare<[Stored]>(
    `INSERT INTO assignments (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
  );
  const changed = columns.filter((column) => !fixed.includes(column)).map((column) => `${column} = @${column}`);
  const update = db.prepare<[Stored]>(`UPDATE assignments SET ${changed.join(', ')} WHERE id = @id`);
  return {
    list: (scope) => list.all(scope).map(recordOf),
    insert: (record) => void insert.run(storedOf(record)),
    update: (record) => void update.run(storedOf(record)),
  };
}

function storedOf(record: AssignmentRecord): Stored {
  return { ...record, active: Number(record.active), confirmed: Number(record.confirmed) };
}

function recordOf(stored: Stored): AssignmentRecord {
  return { ...stored, active: stored.active === 1, confirmed: stored.confirmed === 1 };
}
