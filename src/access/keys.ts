import { randomUUID } from 'node:crypto';
import type { Key, KeySpec, MadeKey } from '../model/access.ts';
import { actorLabel, isAtLeast, type Role } from '../model/actor.ts';
import { conflict, forbidden, notFound } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import { type KeyRow, keyRows } from '../store/api_keys.ts';
import type { Deed } from '../store/ledger.ts';
import type { AccessDeps, Changer } from './deps.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

const MOST_KEYS = 500;
const PREFIX_CHARACTERS = 12;
const USED_EVERY_MS = 60_000;

/** API keys of programs. A key belongs to one workspace and is valid until it is revoked. */
export class Keys {
  readonly #deps: AccessDeps;
  readonly #rows;
  /** Monotonic time at which the use of a key was last written to the database, ms; by key id. */
  readonly #usedMs = new Map<string, number>();

  constructor(deps: AccessDeps) {
    this.#deps = deps;
    this.#rows = keyRows(deps.state);
  }

  list(workspaceId: string): Key[] {
    return this.#rows.list(workspaceId).map(documentOf);
  }

  get(id: string): KeyRow | null {
    return this.#rows.get(id);
  }

  /** Creates a key. Its role is at most `role`, the role of its author. The secret is returned only here. */
  add(workspaceId: string, spec: KeySpec, { actor, role: most }: Changer & { role: Role }): MadeKey {
    const role = spec.role ?? (isAtLeast(most, 'operator') ? 'operator' : most);
    if (!isAtLeast(most, role)) {
      throw forbidden(`you cannot create a key with the role ${role}, because your own role is ${most}`);
    }
    const secret = newToken('dak');
    const row: KeyRow = {
      id: randomUUID(),
      workspace_id: workspaceId,
      name: spec.name,
      prefix: secret.slice(0, PREFIX_CHARACTERS),
      hash: hashOfToken(secret),
      role,
      may_command: spec.may_command ?? false,
      created_at: this.#deps.ledger.nowText(),
      created_by: actorLabel(actor),
      last_used_at: null,
      revoked_at: null,
    };
    return this.#deps.ledger.change(`The key ${spec.name}`, () => {
      if (this.#rows.alive(workspaceId) >= MOST_KEYS) {
        throw conflict(`a workspace has at most ${MOST_KEYS} keys; revoke one that is not used`);
      }
      this.#rows.insert(row);
      this.#rows.forgetRevoked(workspaceId, MOST_KEYS);
      const { id, name, prefix, may_command, created_at } = row;
      const after = { name, prefix, role, may_command };
      const text = `the key ${name} (${prefix}…) was created with the role ${role}`;
      const deed = { kind: 'key.created', text, by: actor, workspaceId, subject: subjectOf(row), after } as const;
      return { result: { id, name, prefix, secret, role, may_command, created_at }, deed };
    });
  }

  /** Revokes a key. Does nothing if the key is revoked already. */
  revoke(workspaceId: string, id: string, { actor }: Changer): void {
    const { ledger } = this.#deps;
    const revocation = (): { result: undefined; deed: Deed | null } => {
      const row = this.#rows.get(id);
      if (!row || row.workspace_id !== workspaceId) {
        throw notFound(`there is no key with the id ${id} in this workspace`);
      }
      if (row.revoked_at !== null) return { result: undefined, deed: null };
      this.#rows.revoke(id, ledger.nowText());
      const text = `the key ${row.name} (${row.prefix}…) was revoked`;
      const deed = { kind: 'key.revoked', text, by: actor, workspaceId, subject: subjectOf(row) } as const;
      return { result: undefined, deed };
    };
    ledger.vital(() => ledger.change('The key', revocation));
    this.#usedMs.delete(id);
    this.#deps.permissionsChanged();
  }

  /** Returns the valid key with this secret; null if no key has the secret, or the key was revoked. */
  find(secret: string): KeyRow | null {
    if (!isToken('dak', secret)) return null;
    const hash = hashOfToken(secret);
    const row = this.#rows.byHash(hash);
    if (!row || !isSameHash(row.hash, hash) || row.revoked_at !== null) return null;
    this.#noteUse(row.id);
    return row;
  }

  /**
   * Writes the time of a key's use, at most once a minute. This happens in a later turn of the event loop, so that the
   * request itself does not wait for the disk.
   */
  #noteUse(id: string): void {
    const nowMs = this.#deps.nowMs();
    if (nowMs - (this.#usedMs.get(id) ?? Number.NEGATIVE_INFINITY) < USED_EVERY_MS) return;
    this.#usedMs.set(id, nowMs);
    const at = formatTime(this.#deps.utcMs());
    setImmediate(() => {
      try {
        this.#deps.state.write('The last use of a key', () => this.#rows.used(id, at));
      } catch {
        // The disk is full or the daemon is stopping. The key works without a record of its use.
      }
    });
  }
}

function subjectOf({ id, name }: KeyRow): { type: string; id: string; label: string } {
  return { type: 'key', id, label: name };
}

/** Lists each published field by name, so that a column added later, which may be secret, is not published. */
function documentOf({ id, name, prefix, role, may_command, created_at, last_used_at, revoked_at }: KeyRow): Key {
  return { id, name, prefix, role, may_command, created_at, last_used_at, revoked_at };
}
