import { randomUUID } from 'node:crypto';
import type { Key, KeySpec, MadeKey } from '../model/access.ts';
import { actorLabel, isAtLeast, type Role } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import { type KeyRow, keyRows } from '../store/api_keys.ts';
import type { Deed } from '../store/ledger.ts';
import type { AccessRim, Changer } from './rim.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

const MOST_KEYS = 500;
const PREFIX_CHARACTERS = 12;
const USED_EVERY_MS = 60_000;

/** The keys that programs carry. Each is of one workspace, and holds until it is revoked. */
export class Keys {
  readonly #rim: AccessRim;
  readonly #rows;
  /** When the last use of a key was written, monotonic. */
  readonly #usedMs = new Map<string, number>();

  constructor(rim: AccessRim) {
    this.#rim = rim;
    this.#rows = keyRows(rim.state);
  }

  list(workspaceId: string): Key[] {
    return this.#rows.list(workspaceId).map(documentOf);
  }

  get(id: string): KeyRow | null {
    return this.#rows.get(id);
  }

  /** `role` is the maker's: a key may not do more than who made it. The secret is told here and never again. */
  add(workspaceId: string, spec: KeySpec, { actor, role: most }: Changer & { role: Role }): MadeKey {
    const role = spec.role ?? (isAtLeast(most, 'operator') ? 'operator' : most);
    if (!isAtLeast(most, role)) {
      throw new Fault('forbidden', `a key of the role ${role} takes somebody of that role; yours is ${most}`);
    }
    const secret = newToken('dak');
    const row: KeyRow = {
      id: randomUUID(),
      workspaceId,
      name: spec.name,
      prefix: secret.slice(0, PREFIX_CHARACTERS),
      hash: hashOfToken(secret),
      role,
      mayCommand: spec.may_command ?? false,
      createdAt: this.#rim.ledger.nowText(),
      createdBy: actorLabel(actor),
      lastUsedAt: null,
      revokedAt: null,
    };
    return this.#rim.ledger.change(`The key ${spec.name}`, () => {
      if (this.#rows.alive(workspaceId) >= MOST_KEYS) {
        throw new Fault('conflict', `a workspace has at most ${MOST_KEYS} keys; revoke one that is not used`);
      }
      this.#rows.insert(row);
      this.#rows.forgetRevoked(workspaceId, MOST_KEYS);
      const { id, name, prefix, mayCommand: may_command, createdAt: created_at } = row;
      const after = { name, prefix, role, may_command };
      const text = `the key ${name} (${prefix}…) was made, with the role ${role}`;
      const deed = { kind: 'key.created', text, by: actor, workspaceId, subject: subjectOf(row), after } as const;
      return { result: { id, name, prefix, secret, role, may_command, created_at }, deed };
    });
  }

  /** A key that is revoked already is revoked. */
  revoke(workspaceId: string, id: string, { actor }: Changer): void {
    const { ledger } = this.#rim;
    const revocation = (): { result: undefined; deed: Deed | null } => {
      const row = this.#rows.get(id);
      if (!row || row.workspaceId !== workspaceId) {
        throw new Fault('not_found', `there is no key with the id ${id} in this workspace`);
      }
      if (row.revokedAt !== null) return { result: undefined, deed: null };
      this.#rows.revoke(id, ledger.nowText());
      const text = `the key ${row.name} (${row.prefix}…) was revoked`;
      const deed = { kind: 'key.revoked', text, by: actor, workspaceId, subject: subjectOf(row) } as const;
      return { result: undefined, deed };
    };
    ledger.vital(() => ledger.change('The key', revocation));
    this.#usedMs.delete(id);
    this.#rim.standingChanged();
  }

  /** The key whose secret this is, or null where there is none or it was revoked. */
  find(secret: string): KeyRow | null {
    if (!isToken('dak', secret)) return null;
    const hash = hashOfToken(secret);
    const row = this.#rows.byHash(hash);
    if (!row || !isSameHash(row.hash, hash) || row.revokedAt !== null) return null;
    this.#noteUse(row.id);
    return row;
  }

  /** Written after the answer, and seldom: a write to the disk must not stand in the way of each request. */
  #noteUse(id: string): void {
    const nowMs = this.#rim.nowMs();
    if (nowMs - (this.#usedMs.get(id) ?? Number.NEGATIVE_INFINITY) < USED_EVERY_MS) return;
    this.#usedMs.set(id, nowMs);
    const at = formatTime(this.#rim.utcMs());
    setImmediate(() => {
      try {
        this.#rim.state.write('The last use of a key', () => this.#rows.used(id, at));
      } catch {
        // A full disk, or the daemon is stopping: that the key works matters more than that its use is told.
      }
    });
  }
}

function subjectOf({ id, name }: KeyRow): { type: string; id: string; label: string } {
  return { type: 'key', id, label: name };
}

function documentOf(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    may_command: row.mayCommand,
    created_at: row.createdAt,
    last_used_at: row.lastUsedAt,
    revoked_at: row.revokedAt,
  };
}
