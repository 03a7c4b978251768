import type { LogLevelService } from '../app/log_level_service.ts';
import type { WorldName } from '../app/shown_world.ts';
import type { Workspace } from '../app/workspace.ts';
import type { Workspaces } from '../app/workspaces.ts';
import type { WorldServices } from '../app/world_services.ts';
import type { MapService } from '../maps/map_service.ts';
import type { Outlets } from '../outlet/outlets.ts';
import type { HistoryLog } from '../store/log/history.ts';

/** Methods that the workspace calls itself. Request handlers must not call them. */
type Own = 'load' | 'expire' | 'declareOf' | 'everySecond' | 'begin' | 'end' | 'played' | 'changeCredentials';
/**
 * Properties `K` of `T`, each reduced to its public members without `Own`. Tests can then implement them in memory,
 * which a class with private fields prevents.
 */
type Open<T, K extends keyof T> = { readonly [P in K]: Omit<T[P], Own> };

/** World as requests can use it. */
export type ServedWorld = Pick<WorldServices, 'registry' | 'alerts' | 'fleet' | 'commands' | 'engagements'> &
  Open<WorldServices, 'tracks' | 'threats' | 'expectedFlights' | 'sensors' | 'events' | 'evidence'>;

/** Workspace as requests can use it, without access to other workspaces. */
export type ServedWorkspace = Pick<
  Workspace,
  'id' | 'name' | 'about' | 'settingsHash' | 'webhooks' | 'recordings' | 'stopAll' | 'stream' | 'boxTime'
> &
  Open<Workspace, 'links' | 'credentials' | 'ingest' | 'ruleTrials' | 'health' | 'playback'> & {
    readonly history: Pick<HistoryLog, 'status'>;
    readonly outlets: Pick<Outlets, 'nodeId' | 'list' | 'get' | 'create' | 'update' | 'setEnabled' | 'remove' | 'test'>;
    readonly shown: ServedWorld;
    worldOf(asked?: WorldName): ServedWorld;
  };

export type ServedMaps = Omit<MapService, 'start' | 'stop'>;

export type ServedLogLevel = Pick<LogLevelService, 'get' | 'set'>;

export type ServedWorkspaces = Pick<Workspaces, 'open'> & {
  /** Workspace of requests without a credential. */
  readonly first: ServedWorkspace;
  get(id: string): ServedWorkspace | undefined;
  list(): readonly ServedWorkspace[];
};
