import { randomUUID } from 'node:crypto';
import type { User, UserChange, UserSpec } from '../model/access.ts';
import type { Role } from '../model/actor.ts';
import { conflict, type Fault, forbidden, invalidInput, orNotFound, refuseStale } from '../model/fault.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Deed } from '../store/ledger.ts';
import { sessionRows } from '../store/sessions.ts';
import { type MemberRow, type UserRow, userRows } from '../store/users.ts';
import type { AccessDeps, Changer } from './deps.ts';
import type { Passwords } from './passwords.ts';

const MOST_USERS = 1_000;

/**
 * Returns a name in the form for comparison: names that differ only in case, outer spaces or Unicode form are equal.
 */
export function foldName(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/** Users who may sign in, with their role in each workspace. */
export class Users {
  readonly #deps: AccessDeps;
  readonly #passwords: Passwords;
  readonly #rows;
  readonly #sessions;

  constructor(deps: AccessDeps, passwords: Passwords) {
    this.#deps = deps;
    this.#passwords = passwords;
    this.#rows = userRows(deps.state);
    this.#sessions = sessionRows(deps.state);
  }

  list(workspaceId: string): User[] {
    return this.#rows.list(workspaceId).map(documentOf);
  }

  get(workspaceId: string, id: string): User {
    return documentOf(this.#member(workspaceId, id));
  }

  /** Returns a member of a workspace by name. Throws `not_found`. */
  named(workspaceId: string, username: string): User {
    const user = this.#rows.byName(foldName(username));
    const member = orNotFound(
      user && this.#rows.member(workspaceId, user.id),
      `there is no user called ${username} in this workspace`,
    );
    return documentOf(member);
  }

  /** Returns true if a user has this name, in any workspace. */
  isKnown(username: string): boolean {
    return this.#rows.byName(foldName(username)) !== null;
  }

  /** Returns true if the box has at least one user, in any workspace. */
  areThere(): boolean {
    return this.#rows.any();
  }

  /** Creates a user or, without a password, adds a user of another workspace to this workspace. */
  async add(workspaceId: string, { username, password, role }: UserSpec, by: Changer): Promise<User> {
    const folded = foldName(username);
    const known = this.#rows.byName(folded);
    if (known && (password !== undefined || this.#rows.roleIn(workspaceId, known.id))) throw taken(known.name);
    if (!known && password === undefined) {
      throw invalidInput(`'password' is missing: a new user needs one, and there is no user called ${username} yet`);
    }
    const hash = password === undefined ? null : await this.#passwords.hash(password);
    return this.#change(`The user ${username}`, () => {
      const row = hash === null ? this.#rows.byName(folded) : this.#insert(username.trim(), hash);
      if (!row) throw conflict(`the user ${username} was removed in the meantime: add the user again with a password`);
      if (this.#rows.list(workspaceId).length >= MOST_USERS) {
        throw conflict(`this workspace has ${MOST_USERS} users already, which is the limit: remove one first`);
      }
      this.#rows.setRole(workspaceId, row.id, role);
      const user = documentOf({ ...row, role });
      const text = `${row.name} may sign in as ${role}`;
      return { result: user, deed: this.#deed('user.created', text, workspaceId, by, row, { after: { role } }) };
    });
  }

  /** Changes the role, the password or both of a user. A new password ends all sessions of the user. */
  async update(workspaceId: string, id: string, change: UserChange, by: Changer): Promise<User> {
    const before = this.#member(workspaceId, id);
    if (change.password !== undefined) this.#requireSayOverPassword(before, by);
    const hash = change.password === undefined ? null : await this.#passwords.hash(change.password);
    // A lower role and a new password revoke access, so this write must succeed on a full disk too.
    return this.#changeVital(`The user ${before.name}`, () => {
      const row = this.#member(workspaceId, id);
      refuseStale(`the user ${row.name}`, row.version, change.version);
      const role = change.role ?? row.role;
      if (row.role === 'owner' && role !== 'owner') this.#requireOtherOwner(workspaceId, row);
      const next: MemberRow = {
        ...row,
        role,
        password: hash ?? row.password,
        version: row.version + 1,
        updatedAt: this.#deps.ledger.nowText(),
      };
      this.#rows.update(next);
      this.#rows.setRole(workspaceId, id, role);
      if (hash !== null) this.#sessions.removeOfUser(id);
      const said = [...(role === row.role ? [] : [`is ${role} now`]), ...(hash === null ? [] : ['has a new password'])];
      const text = `${row.name} ${said.join(' and ') || 'was saved unchanged'}`;
      const roles = {
        before: { role: row.role },
        after: { role, ...(hash === null ? {} : { password_changed: true }) },
      };
      return { result: documentOf(next), deed: this.#deed('user.changed', text, workspaceId, by, row, roles) };
    });
  }

  /**
   * Removes a user from a workspace. A user without another workspace is deleted, together with the user's sessions.
   */
  remove(workspaceId: string, id: string, by: Changer): void {
    this.#changeVital('The user', () => {
      const row = this.#member(workspaceId, id);
      if (row.role === 'owner') this.#requireOtherOwner(workspaceId, row);
      this.#rows.leave(workspaceId, id);
      if (this.#rows.memberships(id).length === 0) this.#rows.remove(id);
      const text = `${row.name} may not sign in to this workspace any more`;
      const deed = this.#deed('user.removed', text, workspaceId, by, row, { before: { role: row.role } });
      return { result: undefined, deed };
    });
  }

  #insert(name: string, password: string): UserRow {
    const foldedName = foldName(name);
    const known = this.#rows.byName(foldedName);
    if (known) throw taken(known.name);
    const at = this.#deps.ledger.nowText();
    const row = { id: randomUUID(), name, foldedName, password, version: 1, createdAt: at, updatedAt: at };
    this.#rows.insert(row);
    return row;
  }

  #member(workspaceId: string, id: string): MemberRow {
    return orNotFound(this.#rows.member(workspaceId, id), `there is no user with the id ${id} in this workspace`);
  }

  #requireOtherOwner(workspaceId: string, { name }: UserRow): void {
    if (this.#rows.owners(workspaceId) > 1) return;
    throw conflict(`${name} is the last owner of the workspace; make another user owner first`);
  }

  /**
   * Refuses authors who may not set a user's password: with the password they could sign in as the user. Allowed are
   * the user, a person who owns all workspaces of the user, and the command line of the box.
   */
  #requireSayOverPassword({ id, name }: UserRow, { actor, userId }: Changer): void {
    if (userId === id || actor.type === 'system') return;
    const owns = (workspaceId: string): boolean =>
      userId !== null && this.#rows.roleIn(workspaceId, userId) === 'owner';
    if (this.#rows.memberships(id).every(({ id: workspaceId }) => owns(workspaceId))) return;
    throw forbidden(
      `${name} is also in another workspace: only an owner of all these workspaces, or ${name}, can set the password`,
    );
  }

  #changeVital<T>(what: string, work: () => { result: T; deed: Deed }): T {
    return this.#deps.ledger.vital(() => this.#change(what, work));
  }

  #change<T>(what: string, work: () => { result: T; deed: Deed }): T {
    const done = this.#deps.ledger.change(what, work);
    this.#deps.permissionsChanged();
    return done;
  }

  #deed(
    kind: LogKind,
    text: string,
    workspaceId: string,
    { actor }: Changer,
    { id, name }: UserRow,
    what: { before?: unknown; after?: unknown },
  ): Deed {
    const subject = { type: 'user', id, label: name };
    return { kind, text, by: actor, workspaceId, subject, severity: 'notice', ...what };
  }
}

function documentOf(row: UserRow & { role: Role }): User {
  const { id, name: username, role, version, createdAt: created_at, updatedAt: updated_at } = row;
  return { id, username, role, version, created_at, updated_at };
}

function taken(name: string): Fault {
  return conflict(`there is already a user called ${name}`);
}
