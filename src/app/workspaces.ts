import { Fault, unavailable } from '../model/fault.ts';
import type { WorkspaceRow } from '../store/workspaces.ts';
import type { Workspace } from './workspace.ts';

type Begin = (row: WorkspaceRow) => Promise<Workspace>;

/** Running workspaces of the box, the first workspace first. Each workspace has a separate world, core and history. */
export class Workspaces {
  readonly #open = new Map<string, Workspace>();
  #begin: Begin | null = null;

  /** Sets the function with which `open` starts workspaces. Call this before the first `open`. */
  beginWith(begin: Begin): void {
    this.#begin = begin;
  }

  add(workspace: Workspace): void {
    this.#open.set(workspace.id, workspace);
  }

  /** Starts a workspace, and makes it available to requests. */
  async open(row: WorkspaceRow): Promise<void> {
    if (this.#begin === null) throw unavailable('the service is stopping');
    const workspace = await this.#begin(row);
    // If `stop` was called during the start, it has not seen this workspace, so stop the workspace here.
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
