import type { HttpWorkspaces } from '../../http/workspace.ts';
import { Fault } from '../../model/fault.ts';
import type { WorkspaceRow } from '../../store/workspaces.ts';
import type { Workspace } from './workspace.ts';

/** Lets a workspace begin to work. */
type Begin = (row: WorkspaceRow) => Promise<Workspace>;

/** The workspaces of the box, the first one first. Each has a world, a core and a history of its own. */
export class Workspaces implements HttpWorkspaces {
  readonly #open = new Map<string, Workspace>();
  #begin: Begin | null = null;

  /** From now on `open` lets workspaces begin in this way. */
  beginWith(begin: Begin): void {
    this.#begin = begin;
  }

  add(workspace: Workspace): void {
    this.#open.set(workspace.id, workspace);
  }

  async open(row: WorkspaceRow): Promise<void> {
    if (this.#begin === null) throw new Fault('unavailable', 'the service is stopping');
    const workspace = await this.#begin(row);
    // Told to stop meanwhile, nobody else would stop it.
    if (this.#begin === null) await workspace.stop();
    else this.add(workspace);
  }

  async stop(): Promise<void> {
    this.#begin = null;
    await Promise.all(this.list().map((workspace) => workspace.stop()));
  }

  get first(): Workspace {
    const [first] = this.#open.values();
    if (!first) throw new Fault('internal', 'the box has no workspace');
    return first;
  }

  get(id: string): Workspace | undefined {
    return this.#open.get(id);
  }

  list(): readonly Workspace[] {
    return [...this.#open.values()];
  }
}
