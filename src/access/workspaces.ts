import type { Membership } from '../model/access.ts';
import { conflict } from '../model/fault.ts';
import { userRows } from '../store/users.ts';
import { newWorkspaceId, type WorkspaceRow, workspaceRows } from '../store/workspaces.ts';
import type { AccessDeps, Changer } from './deps.ts';
import { foldName } from './users.ts';

const MOST_WORKSPACES = 16;

/** Workspaces of the box and their members. A user who creates a workspace becomes its owner. */
export class WorkspaceService {
  readonly #deps: AccessDeps;
  readonly #rows;
  readonly #users;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
    this.#rows = workspaceRows(deps.state);
    this.#users = userRows(deps.state);
  }

  list(): WorkspaceRow[] {
    return this.#rows.list();
  }

  get(id: string): WorkspaceRow | null {
    return this.#rows.get(id);
  }

  ofUser(userId: string): Membership[] {
    return this.#users.memberships(userId);
  }

  create(name: string, { actor, userId }: Changer): WorkspaceRow {
    return this.#deps.ledger.change(`The workspace ${name}`, () => {
      const known = this.#rows.list();
      const same = known.find((row) => foldName(row.name) === foldName(name));
      if (same) throw conflict(`there is already a workspace called ${same.name}`);
      if (known.length >= MOST_WORKSPACES) {
        throw conflict(`this box has ${known.length} workspaces already, which is the limit`);
      }
      const row = { id: newWorkspaceId(), name, createdAt: this.#deps.ledger.nowText() };
      this.#rows.insert(row);
      if (userId !== null) this.#users.setRole(row.id, userId, 'owner');
      const subject = { type: 'workspace', id: row.id, label: name };
      const text = `the workspace ${name} was created`;
      return { result: row, deed: { kind: 'workspace.created', text, by: actor, workspaceId: row.id, subject } };
    });
  }

  /** Deletes a workspace that could not be started. */
  takeBack({ id, name }: WorkspaceRow, why: string, { actor }: Changer): void {
    this.#deps.ledger.change(`The workspace ${name}`, () => {
      this.#rows.remove(id);
      const subject = { type: 'workspace', id, label: name };
      const text = `the workspace ${name} could not be started and was removed again: ${why}`;
      const deed = { kind: 'workspace.removed', text, by: actor, workspaceId: null, subject } as const;
      return { result: undefined, deed: { ...deed, severity: 'warning' } };
    });
  }
}
