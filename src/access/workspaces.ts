import type { Membership } from '../model/access.ts';
import { Fault } from '../model/fault.ts';
import { userRows } from '../store/users.ts';
import { newWorkspaceId, type WorkspaceRow, workspaceRows } from '../store/workspaces.ts';
import type { AccessRim, Changer } from './rim.ts';
import { foldName } from './users.ts';

const MOST_WORKSPACES = 16;

/** The workspaces of the box, as far as who may is concerned. Who makes one is its owner. */
export class WorkspaceDesk {
  readonly #rim: AccessRim;
  readonly #rows;
  readonly #users;

  constructor(rim: AccessRim) {
    this.#rim = rim;
    this.#rows = workspaceRows(rim.state);
    this.#users = userRows(rim.state);
  }

  list(): WorkspaceRow[] {
    return this.#rows.list();
  }

  get(id: string): WorkspaceRow | null {
    return this.#rows.get(id);
  }

  ofUser(userId: string): Membership[] {
    return this.#users
      .memberships(userId)
      .map(({ workspaceId, workspaceName, role }) => ({ id: workspaceId, name: workspaceName, role }));
  }

  create(name: string, { actor, userId }: Changer): WorkspaceRow {
    return this.#rim.ledger.change(`The workspace ${name}`, () => {
      const known = this.#rows.list();
      const same = known.find((row) => foldName(row.name) === foldName(name));
      if (same) throw new Fault('conflict', `there is already a workspace called ${same.name}`);
      if (known.length >= MOST_WORKSPACES) {
        throw new Fault('conflict', `this box has ${known.length} workspaces, and takes no more`);
      }
      const row = { id: newWorkspaceId(), name, createdAt: this.#rim.ledger.nowText() };
      this.#rows.insert(row);
      if (userId !== null) this.#users.setRole(row.id, userId, 'owner');
      const subject = { type: 'workspace', id: row.id, label: name };
      const text = `the workspace ${name} was made`;
      return { result: row, deed: { kind: 'workspace.created', text, by: actor, workspaceId: row.id, subject } };
    });
  }

  /** Takes back one that could not begin to work. */
  takeBack({ id, name }: WorkspaceRow, why: string, { actor }: Changer): void {
    this.#rim.ledger.change(`The workspace ${name}`, () => {
      this.#rows.remove(id);
      const subject = { type: 'workspace', id, label: name };
      const text = `the workspace ${name} could not begin to work and was taken back: ${why}`;
      const deed = {
        kind: 'workspace.removed',
        text,
        by: actor,
        workspaceId: null,
        subject,
        severity: 'warning',
      } as const;
      return { result: undefined, deed };
    });
  }
}
