import type { CommandDesk } from '../command/control/desk.ts';
import type { Engagements } from '../command/engagement/engagements.ts';
import type { Fleet } from '../command/fleet/fleet.ts';
import { Fault } from '../model/fault.ts';
import type { Webhooks } from '../notify/webhooks.ts';
import type { Registry } from '../registry/registry.ts';
import type { WorkspaceRow } from '../store/workspaces.ts';
import type { AlertDesk } from '../worlds/alerts/desk.ts';
import type { RecordingDesk } from '../worlds/replay/desk.ts';
import type { Service } from './service.ts';
import type { Simulator } from './simulator.ts';

/** One workspace as requests reach it: nothing of another can be asked through it. */
export type HttpWorkspace = {
  readonly id: string;
  readonly name: string;
  readonly service: Service;
  readonly registry: Registry;
  readonly alerts: AlertDesk;
  readonly webhooks: Webhooks;
  readonly fleet: Fleet;
  readonly commands: CommandDesk;
  readonly engagements: Engagements;
  readonly stopAll: Engagements['stopAll'];
  readonly simulator: Simulator;
  readonly recordings: RecordingDesk;
};

/** The workspaces of the box. */
export type HttpWorkspaces = {
  /** The one that the open surface acts in. */
  readonly first: HttpWorkspace;
  get(id: string): HttpWorkspace | undefined;
  list(): readonly HttpWorkspace[];
  /** Lets a workspace that was made begin to work: from then on it can be asked for. */
  open(row: WorkspaceRow): Promise<void>;
};

/** A box with one workspace alone. */
export function soleWorkspace(workspace: HttpWorkspace): HttpWorkspaces {
  return {
    first: workspace,
    get: (id) => (id === workspace.id ? workspace : undefined),
    list: () => [workspace],
    open: () => Promise.reject(new Fault('not_built', 'this box has one workspace alone')),
  };
}
