import type { Membership } from '../model/access.ts';
import type { Role } from '../model/actor.ts';
import type { State } from './state.ts';
import { number, type RowOf, Statements, table, text } from './table.ts';

/** Users who may sign in. `password` is the hash of the password and is never served. Times are RFC 3339 UTC. */
const users = table('users', 'user', {
  id: text,
  name: text,
  /** Name in the form used for comparisons, so that no two names differ only in case. */
  foldedName: text,
  password: text,
  version: number,
  createdAt: text,
  updatedAt: text,
});
export type UserRow = RowOf<typeof users>;

/** User as a member of a workspace, with the role there. */
export type MemberRow = UserRow & { role: Role };

export type UserRows = ReturnType<typeof userRows>;

/** SQL statements for users and memberships. Those that write may be called only inside `Ledger.change`. */
export function userRows({ db }: State) {
  const rows = new Statements(db, users);
  const members = `SELECT ${rows.select}, role FROM users JOIN memberships ON user_id = users.id WHERE workspace_id = ?`;
  const list = db.prepare<[string], MemberRow>(`${members} ORDER BY folded_name`);
  const member = db.prepare<[string, string], MemberRow>(`${members} AND users.id = ?`);
  const any = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM users)').pluck();
  const memberships = db.prepare<[string], Membership>(
    `SELECT workspaces.id, name, role FROM memberships JOIN workspaces ON workspaces.id = workspace_id
     WHERE user_id = ? ORDER BY workspaces.rowid`,
  );
  const roleIn = db
    .prepare<[string, string], Role>('SELECT role FROM memberships WHERE workspace_id = ? AND user_id = ?')
    .pluck();
  const setRole = db.prepare<[string, string, Role]>(
    `INSERT INTO memberships (workspace_id, user_id, role) VALUES (?, ?, ?)
     ON CONFLICT (user_id, workspace_id) DO UPDATE SET role = excluded.role`,
  );
  const leave = db.prepare<[string, string]>('DELETE FROM memberships WHERE workspace_id = ? AND user_id = ?');
  const owners = db
    .prepare<[string], number>("SELECT count(*) FROM memberships WHERE workspace_id = ? AND role = 'owner'")
    .pluck();
  return {
    /** Returns the members of a workspace, sorted by name. */
    list: (workspaceId: string) => list.all(workspaceId),
    member: (workspaceId: string, id: string) => member.get(workspaceId, id) ?? null,
    get: rows.one<[id: string]>('id = ?'),
    byName: rows.one<[foldedName: string]>('folded_name = ?'),
    /** Returns true if there is at least one user. */
    any: () => any.get() === 1,
    insert: rows.insert(),
    update: rows.update(['id', 'name', 'foldedName', 'createdAt'], 'id = @id'),
    remove: rows.delete<[id: string]>('id = ?'),
    /** Returns the memberships of a user, the oldest workspace first. */
    memberships: (id: string) => memberships.all(id),
    roleIn: (workspaceId: string, id: string) => roleIn.get(workspaceId, id) ?? null,
    setRole: (workspaceId: string, id: string, role: Role) => void setRole.run(workspaceId, id, role),
    leave: (workspaceId: string, id: string) => void leave.run(workspaceId, id),
    owners: (workspaceId: string) => owners.get(workspaceId) ?? 0,
  };
}
