import type { HttpWorkspaces } from '../../http/workspace.ts';
import { Fault } from '../../model/fault.ts';
import type { Workspace } from './workspace.ts';

/** The workspaces of the box, the first one first. Each has a world, a core and a history of its own. */
export class Workspaces implements HttpWorkspaces {
  readonly #open = new Map<string, Workspace>();

  add(workspace: Workspace): void {
    this.#open.set(workspace.id, workspace);
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
