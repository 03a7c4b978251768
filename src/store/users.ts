import type { Role } from '../model/actor.ts';
import type { State } from './state.ts';

/** Who may sign in. `password` is the text of its hash, never told. Times are RFC 3339 UTC. */
export type UserRow = {
  id: string;
  name: string;
  /** The name as it is looked up, so that no two differ in case alone. */
  foldedName: string;
  password: string;
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** A user as a member of a workspace. */
export type MemberRow = UserRow & { role: Role };

export type MembershipRow = { workspaceId: string; workspaceName: string; role: Role };

/** The statements of users and memberships. Call what writes inside a transaction of the ledger. */
export type UserRows = {
  /** Members of a workspace by name. */
  list(workspaceId: string): MemberRow[];
  member(workspaceId: string, id: string): MemberRow | null;
  get(id: string): UserRow | null;
  byName(foldedName: string): UserRow | null;
  insert(row: UserRow): void;
  update(row: UserRow): void;
  remove(id: string): void;
  /** What a user is a member of, the oldest workspace first. */
  memberships(id: string): MembershipRow[];
  roleIn(workspaceId: string, id: string): Role | null;
  setRole(workspaceId: string, id: string, role: Role): void;
  leave(workspaceId: string, id: string): void;
  owners(workspaceId: string): number;
};

const columns =
  'users.id, name, folded_name AS foldedName, password, version, created_at AS createdAt, updated_at AS updatedAt';

export function userRows({ db }: State): UserRows {
  const members = `SELECT ${columns}, role FROM users JOIN memberships ON user_id = users.id WHERE workspace_id = ?`;
  const list = db.prepare<[string], MemberRow>(`${members} ORDER BY folded_name`);
  const member = db.prepare<[string, string], MemberRow>(`${members} AND users.id = ?`);
  const get = db.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE id = ?`);
  const byName = db.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE folded_name = ?`);
  const insert = db.prepare<[UserRow]>(
    `INSERT INTO users (id, name, folded_name, password, version, created_at, updated_at)
     VALUES (@id, @name, @foldedName, @password, @version, @createdAt, @updatedAt)`,
  );
  const update = db.prepare<[UserRow]>(
    'UPDATE users SET password = @password, version = @version, updated_at = @updatedAt WHERE id = @id',
  );
  const remove = db.prepare<[string]>('DELETE FROM users WHERE id = ?');
  const memberships = db.prepare<[string], MembershipRow>(
    `SELECT workspace_id AS workspaceId, name AS workspaceName, role FROM memberships
     JOIN workspaces ON workspaces.id = workspace_id WHERE user_id = ? ORDER BY workspaces.rowid`,
  );
  const roleIn = db.prepare<[string, string], { role: Role }>(
    'SELECT role FROM memberships WHERE workspace_id = ? AND user_id = ?',
  );
  const setRole = db.prepare<[string, string, Role]>(
    `INSERT INTO memberships (workspace_id, user_id, role) VALUES (?, ?, ?)
     ON CONFLICT (user_id, workspace_id) DO UPDATE SET role = excluded.role`,
  );
  const leave = db.prepare<[string, string]>('DELETE FROM memberships WHERE workspace_id = ? AND user_id = ?');
  const owners = db.prepare<[string], { owners: number }>(
    "SELECT count(*) AS owners FROM memberships WHERE workspace_id = ? AND role = 'owner'",
  );
  return {
    list: (workspaceId) => list.all(workspaceId),
    member: (workspaceId, id) => member.get(workspaceId, id) ?? null,
    get: (id) => get.get(id) ?? null,
    byName: (foldedName) => byName.get(foldedName) ?? null,
    insert: (row) => void insert.run(row),
    update: (row) => void update.run(row),
    remove: (id) => void remove.run(id),
    memberships: (id) => memberships.all(id),
    roleIn: (workspaceId, id) => roleIn.get(workspaceId, id)?.role ?? null,
    setRole: (workspaceId, id, role) => void setRole.run(workspaceId, id, role),
    leave: (workspaceId, id) => void leave.run(workspaceId, id),
    owners: (workspaceId) => owners.get(workspaceId)?.owners ?? 0,
  };
}
