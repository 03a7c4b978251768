import type { Me, SignedIn, StreamTicket } from '../model/access.ts';
import { type Actor, isAtLeast, type Role } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import { type UserRows, userRows } from '../store/users.ts';
import { Attempts } from './attempts.ts';
import { bootId } from './boot.ts';
import { Denials } from './denials.ts';
import { Keys } from './keys.ts';
import { Passwords, type ScryptCost } from './passwords.ts';
import type { Principal } from './principal.ts';
import type { AccessRim } from './rim.ts';
import { SealedSecrets, type SealingKey } from './sealed.ts';
import { Sessions } from './sessions.ts';
import { Tickets } from './tickets.ts';
import { hashOfToken } from './tokens.ts';
import { foldName, Users } from './users.ts';
import { WorkspaceDesk } from './workspaces.ts';

/** What a request shows to say who sends it. */
export type Credential = { type: 'key' | 'session'; text: string };

/** Where a request comes from and what it is for: the workspace it names, and whether it must be for one. */
export type Asked = { address: string; workspaceId: string | null; needsWorkspace: boolean };

export type AccessParts = {
  state: State;
  ledger: Ledger;
  /** Monotonic milliseconds of the boot. */
  nowMs(): number;
  utcMs(): number;
  /** Of the box at this moment, where nothing is said. */
  bootId?: string;
  /** Tries to sign in a minute of each address, and of each address and name. */
  signInsPerMinute: number;
  sealingKey: SealingKey;
  passwordCost?: ScryptCost;
};

const notGood = (): Fault => new Fault('unauthenticated', 'the credential was revoked or never issued, or has expired');

/** Who may: the one place that turns what a request shows into a principal. Every change of it is on the disk at once. */
export class Access {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly tickets: Tickets;
  readonly workspaces: WorkspaceDesk;
  readonly secrets: SealedSecrets;
  readonly denials: Denials;
  readonly #rows: UserRows;
  readonly #ledger: Ledger;
  readonly #passwords: Passwords;
  readonly #attempts: Attempts;
  readonly #listeners = new Set<() => void>();

  constructor(parts: AccessParts) {
    const rim: AccessRim = { ...parts, standingChanged: () => this.standingChanged() };
    this.#rows = userRows(parts.state);
    this.#ledger = parts.ledger;
    this.#passwords = new Passwords(parts.passwordCost);
    this.#attempts = new Attempts(parts.signInsPerMinute, () => parts.nowMs());
    this.users = new Users(rim, this.#passwords);
    this.sessions = new Sessions(rim, parts.bootId ?? bootId());
    this.keys = new Keys(rim);
    this.tickets = new Tickets(rim);
    this.workspaces = new WorkspaceDesk(rim);
    this.secrets = new SealedSecrets(rim, parts.sealingKey);
    this.denials = new Denials(parts.ledger, () => parts.nowMs());
  }

  /** Told when somebody's standing may have changed; `standsAs` says whose has. */
  onStandingChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  standingChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Who shows this credential. Throws `unauthenticated`, `forbidden`, `not_a_member` or `invalid_input`. */
  identify({ type, text }: Credential, asked: Asked): Principal {
    return type === 'key' ? this.#keyHolder(text, asked) : this.#signedIn(text, asked);
  }

  /**
   * Whether a principal may still do what he could when he was found: the same role, and the same password. A session
   * that ended changes nothing here.
   */
  standsAs({ key, userId, workspaceId, role, passwordMark }: Principal): boolean {
    if (key) {
      const row = this.keys.get(key.id);
      return row !== null && row.revokedAt === null && row.role === role;
    }
    if (userId === null) return true;
    const user = this.#rows.get(userId);
    if (user === null || markOf(user.password) !== passwordMark) return false;
    if (workspaceId === null) return true;
    return this.#rows.roleIn(workspaceId, userId) === role;
  }

  /** A wrong name and a wrong password take the same way, the same time and have the same answer. */
  async signIn(username: string, password: string, address: string): Promise<SignedIn> {
    const attempt = this.#attempts.take(address, foldName(username));
    const found = this.#rows.byName(foldName(username));
    const isRight = await this.#passwords.isRight(password, found?.password ?? null);
    // Looked at again: it may have been removed, or the password changed, while this one was checked.
    const user = found && this.#rows.get(found.id);
    if (!isRight || !user || user.password !== found.password) {
      const who = found ? found.name : 'a name that nobody has';
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

  signOut(token: string, by: Principal): void {
    this.sessions.end(token);
    this.#noteSession('auth.signed_out', `${by.actor.name} signed out`, by.actor);
  }

  /** `workspaceId` is of the open surface. */
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

  issueTicket(by: Principal): StreamTicket {
    if (by.workspaceId === null) throw workspaceMissing();
    return this.tickets.issue(by);
  }

  /** Who opens a stream with a ticket; looked at again, since he may have lost his standing within the minute. */
  redeemTicket(ticket: string, use: boolean, asked: Asked): Principal {
    const by = this.tickets.redeem(ticket, use);
    if (!by || !this.standsAs(by)) {
      throw new Fault('unauthenticated', 'the ticket was used, has expired or was never issued');
    }
    if (asked.workspaceId !== null && asked.workspaceId !== by.workspaceId) {
      throw new Fault('forbidden', 'the ticket was issued for another workspace');
    }
    return { ...by, actor: { ...by.actor, address: asked.address } };
  }

  #keyHolder(secret: string, { address, workspaceId }: Asked): Principal {
    const row = this.keys.find(secret);
    if (!row) throw notGood();
    const actor: Actor = { type: 'key', id: row.id, name: row.name, address };
    if (workspaceId !== null && workspaceId !== row.workspaceId) {
      const fault = new Fault('forbidden', `the key ${row.name} belongs to another workspace`);
      throw this.denials.of(fault, actor, row.workspaceId);
    }
    const key = { id: row.id, mayCommand: row.mayCommand };
    return { actor, role: row.role, workspaceId: row.workspaceId, userId: null, passwordMark: null, key };
  }

  #signedIn(token: string, { address, workspaceId, needsWorkspace }: Asked): Principal {
    const person = this.sessions.find(token);
    if (!person) throw notGood();
    const { userId, name } = person;
    const actor: Actor = { type: 'user', id: userId, name, address };
    const role =
      workspaceId === null ? this.#highestRole(userId, needsWorkspace) : this.#rows.roleIn(workspaceId, userId);
    // Whether there is such a workspace is nobody's business who is not in it.
    if (role === null) {
      const fault = new Fault('not_a_member', `you are not a member of the workspace ${workspaceId?.slice(0, 60)}`);
      throw this.denials.of(fault, actor, null);
    }
    return { actor, role, workspaceId, userId, passwordMark: markOf(person.password), key: null };
  }

  #highestRole(userId: string, needsWorkspace: boolean): Role {
    if (needsWorkspace) throw workspaceMissing();
    const roles = this.#rows.memberships(userId).map(({ role }) => role);
    return roles.reduce((highest, role) => (isAtLeast(role, highest) ? role : highest), 'viewer');
  }

  #noteSession(kind: string, text: string, by: Actor): void {
    const subject = { type: 'user', id: by.id, label: by.name };
    this.#ledger.vital(() => this.#ledger.note({ kind, text, by, workspaceId: null, subject }));
  }
}

/** Tells one password of a user from another without being of use to anybody. */
function markOf(password: string): string {
  return hashOfToken(password).slice(0, 32);
}

function workspaceMissing(): Fault {
  const sentence = 'a session needs the header X-Workspace-Id; GET /api/me lists the workspaces you are a member of';
  return new Fault('invalid_input', sentence);
}
