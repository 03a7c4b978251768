import type { Me, SignedIn, Ticket } from '../model/access.ts';
import { type Actor, isAtLeast, type Role } from '../model/actor.ts';
import { Fault, forbidden, invalidInput } from '../model/fault.ts';
import { Listeners } from '../model/listeners.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Ledger } from '../store/ledger.ts';
import { type UserRows, userRows } from '../store/users.ts';
import { Attempts } from './attempts.ts';
import { bootId } from './boot.ts';
import { Denials } from './denials.ts';
import type { AccessDeps } from './deps.ts';
import { Keys } from './keys.ts';
import { Passwords, type ScryptCost } from './passwords.ts';
import type { Principal } from './principal.ts';
import { SealedSecrets, type SealingKey } from './sealed.ts';
import { Sessions } from './sessions.ts';
import { Tickets } from './tickets.ts';
import { hashOfToken } from './tokens.ts';
import { foldName, Users } from './users.ts';
import { WorkspaceService } from './workspaces.ts';

/** Credential of a request. */
export type Credential = { type: 'key' | 'session'; text: string };

/**
 * Facts about a request: the client's address, the workspace id in the request (null for none), and whether the route
 * needs a workspace.
 */
export type Asked = { address: string; workspaceId: string | null; needsWorkspace: boolean };

export type AccessParts = Omit<AccessDeps, 'permissionsChanged'> & {
  /** Boot id of the box; read from the kernel if absent. */
  bootId?: string;
  /**
   * Limit of sign-in attempts per minute, not counting successful ones, for each network of clients and for each pair
   * of network and name.
   */
  signInsPerMinute: number;
  /** Longest time, h, from a sign-in with password until the end of its session. Renewals do not extend it. */
  sessionMaxH: number;
  sealingKey: SealingKey;
  passwordCost?: ScryptCost;
};

const notGood = 'the credential was revoked or never issued, or has expired';
const keyNotGood = (): Fault =>
  new Fault('unauthenticated', `${notGood}: an owner creates another with POST /api/keys`);
const sessionNotGood = (): Fault => new Fault('unauthenticated', `${notGood}: sign in with POST /api/auth/sign-in`);

/**
 * Access control: the only place that turns a credential into a principal. A change of users, keys, sessions, secrets
 * or workspaces is on the disk when the call has ended; tickets exist in memory only.
 */
export class Access {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly tickets: Tickets;
  readonly workspaces: WorkspaceService;
  readonly secrets: SealedSecrets;
  readonly denials: Denials;
  readonly #rows: UserRows;
  readonly #ledger: Ledger;
  readonly #passwords: Passwords;
  readonly #attempts: Attempts;
  readonly #listeners = new Listeners();

  constructor(parts: AccessParts) {
    const deps: AccessDeps = { ...parts, permissionsChanged: () => this.permissionsChanged() };
    this.#rows = userRows(parts.state);
    this.#ledger = parts.ledger;
    this.#passwords = new Passwords(parts.passwordCost);
    this.#attempts = new Attempts(parts.signInsPerMinute, () => parts.nowMs());
    this.users = new Users(deps, this.#passwords);
    this.sessions = new Sessions(deps, parts.bootId ?? bootId(), parts.sessionMaxH * 3_600_000);
    this.keys = new Keys(deps);
    this.tickets = new Tickets(deps);
    this.workspaces = new WorkspaceService(deps);
    this.secrets = new SealedSecrets(deps, parts.sealingKey);
    this.denials = new Denials(parts.ledger, () => parts.nowMs());
  }

  /** Registers a listener for possible changes of permissions. The listener checks its principals with `standsAs`. */
  onPermissionsChanged(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  permissionsChanged(): void {
    this.#listeners.emit();
  }

  /**
   * Returns the principal of a credential. Throws `unauthenticated`, `forbidden`, `not_a_member` or `invalid_input`.
   */
  identify({ type, text }: Credential, asked: Asked): Principal {
    return type === 'key' ? this.#keyHolder(text, asked) : this.#signedIn(text, asked);
  }

  /**
   * Returns true while a principal's permissions are those with which it was identified: role and password of a user,
   * or role of a valid key. The role of a user is not compared if the principal has no workspace. Always true for the
   * open surface. Does not check whether the session has ended.
   */
  standsAs({ key, userId, workspaceId, role, passwordMark }: Principal): boolean {
    if (key) {
      const row = this.keys.get(key.id);
      return row !== null && row.revoked_at === null && row.role === role;
    }
    if (userId === null) return true;
    const user = this.#rows.get(userId);
    if (user === null || markOf(user.password) !== passwordMark) return false;
    if (workspaceId === null) return true;
    return this.#rows.roleIn(workspaceId, userId) === role;
  }

  /** Signs a user in. A wrong name and a wrong password take the same time and have the same answer. */
  async signIn(username: string, password: string, address: string): Promise<SignedIn> {
    const attempt = this.#attempts.take(address, foldName(username));
    const found = this.#rows.byName(foldName(username));
    const isRight = await this.#passwords.isRight(password, found?.password ?? null);
    // The user may have been removed, or the stored password changed, during the check: read the row again.
    const user = found && this.#rows.get(found.id);
    if (!isRight || !user || user.password !== found.password) {
      const who = found ? found.name : 'an unknown name';
      const fault = new Fault('unauthenticated', 'the name or the password is wrong');
      const by: Actor = { type: 'open', id: address, name: address, address };
      const text = `a sign-in as ${who} failed`;
      this.denials.note({ by, workspaceId: null, text, fault, route: `sign-in as ${who}`, write: false });
      throw fault;
    }
    attempt.forgive();
    const { token, expiresAt } = this.sessions.open(user.id);
    const by: Actor = { type: 'user', id: user.id, name: user.name, address };
    this.#noteSession('auth.signed_in', `${user.name} signed in`, by);
    const workspaces = this.workspaces.ofUser(user.id);
    return { token, expires_at: expiresAt, user: { id: user.id, username: user.name }, workspaces };
  }

  /**
   * Replaces the token of a signed-in person by a new one that is valid for at most half an hour. Throws
   * `unauthenticated` without a valid session, or once `sessionMaxH` have passed since the sign-in.
   */
  renew(token: string, by: Principal): SignedIn {
    const { userId, actor } = by;
    const renewed = userId === null ? null : this.sessions.renew(token);
    if (userId === null || renewed === null) {
      throw new Fault(
        'unauthenticated',
        'this session can no longer be renewed: sign in again with POST /api/auth/sign-in',
      );
    }
    this.#noteSession('auth.renewed', `${actor.name} renewed the session`, actor);
    const { token: fresh, expiresAt } = renewed;
    const user = { id: userId, username: actor.name };
    return { token: fresh, expires_at: expiresAt, user, workspaces: this.workspaces.ofUser(userId) };
  }

  signOut(token: string, by: Principal): void {
    this.sessions.end(token);
    this.#noteSession('auth.signed_out', `${by.actor.name} signed out`, by.actor);
  }

  /**
   * Describes the caller. A key and the open surface have at most one workspace (`workspaceId`); a user has all
   * memberships.
   */
  me({ userId, key, actor, role, workspaceId }: Principal): Me {
    if (userId !== null) {
      const user = { id: userId, username: actor.name };
      return { user, key: null, open: false, workspaces: this.workspaces.ofUser(userId) };
    }
    const row = workspaceId === null ? null : this.workspaces.get(workspaceId);
    const workspaces = row ? [{ id: row.id, name: row.name, role }] : [];
    if (!key) return { user: null, key: null, open: true, workspaces };
    return {
      user: null,
      key: { id: key.id, name: actor.name, role, may_command: key.mayCommand },
      open: false,
      workspaces,
    };
  }

  /**
   * Issues a ticket for the stream or for a file. `file` is the path and query of the file below `/api` or `/v1`; null
   * for the stream.
   */
  issueTicket(by: Principal, file: string | null = null): Ticket {
    if (by.workspaceId === null) throw workspaceMissing();
    return this.tickets.issue(by, file);
  }

  /**
   * Returns the principal of a ticket. Checks its permissions again, because they may have changed since the ticket was
   * issued.
   */
  redeemTicket(ticket: string, use: boolean, asked: Asked, file: string | null = null): Principal {
    const by = this.tickets.redeem(ticket, use, file);
    if (!by || !this.standsAs(by)) {
      const route = file === null ? 'stream-ticket' : 'file-ticket';
      const remedy = `POST /api/auth/${route} issues another`;
      throw new Fault('unauthenticated', `the ticket was used, has expired or was never issued: ${remedy}`);
    }
    if (asked.workspaceId !== null && asked.workspaceId !== by.workspaceId) {
      throw forbidden('the ticket was issued for another workspace: ask for one in this workspace');
    }
    return { ...by, actor: { ...by.actor, address: asked.address } };
  }

  #keyHolder(secret: string, { address, workspaceId }: Asked): Principal {
    const row = this.keys.find(secret);
    if (!row) throw keyNotGood();
    const actor: Actor = { type: 'key', id: row.id, name: row.name, address };
    if (workspaceId !== null && workspaceId !== row.workspace_id) {
      const fault = forbidden(`the key ${row.name} belongs to another workspace: leave out the header X-Workspace-Id`);
      throw this.denials.of(fault, actor, row.workspace_id);
    }
    const key = { id: row.id, mayCommand: row.may_command };
    return { actor, role: row.role, workspaceId: row.workspace_id, userId: null, passwordMark: null, key };
  }

  #signedIn(token: string, { address, workspaceId, needsWorkspace }: Asked): Principal {
    const person = this.sessions.find(token);
    if (!person) throw sessionNotGood();
    const { userId, name } = person;
    const actor: Actor = { type: 'user', id: userId, name, address };
    const role =
      workspaceId === null ? this.#highestRole(userId, needsWorkspace) : this.#rows.roleIn(workspaceId, userId);
    // A workspace that does not exist gives the same answer, so a stranger cannot find out which workspaces exist.
    if (role === null) {
      const named = workspaceId?.slice(0, 60);
      const sentence = `you are not a member of the workspace ${named}; GET /api/me lists those that you are a member of`;
      const fault = new Fault('not_a_member', sentence);
      throw this.denials.of(fault, actor, null);
    }
    return { actor, role, workspaceId, userId, passwordMark: markOf(person.password), key: null };
  }

  #highestRole(userId: string, needsWorkspace: boolean): Role {
    if (needsWorkspace) throw workspaceMissing();
    const roles = this.#rows.memberships(userId).map(({ role }) => role);
    return roles.reduce((highest, role) => (isAtLeast(role, highest) ? role : highest), 'viewer');
  }

  #noteSession(kind: LogKind, text: string, by: Actor): void {
    const subject = { type: 'user', id: by.id, label: by.name };
    this.#ledger.vital(() => this.#ledger.note({ kind, text, by, workspaceId: null, subject }));
  }
}

/** Returns a mark that changes with the password of a user; the password hash cannot be derived from the mark. */
function markOf(password: string): string {
  return hashOfToken(password).slice(0, 32);
}

function workspaceMissing(): Fault {
  const sentence = 'a session needs the header X-Workspace-Id; GET /api/me lists the workspaces you are a member of';
  return invalidInput(sentence);
}
