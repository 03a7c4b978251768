import type { Principal } from '../../access/principal.ts';
import type { HttpMetrics } from '../log.ts';
import type { ServedWorkspace } from '../served.ts';
import type { StreamSettings } from '../settings.ts';
import { createHub, type Hub } from './hub.ts';

type Streamed = Pick<ServedWorkspace, 'id' | 'stream' | 'boxTime'>;

export type Hubs = ReturnType<typeof createHubs>;

/** Creates the hubs of all workspaces, one for each. */
export function createHubs(settings: StreamSettings, metrics: HttpMetrics) {
  const hubs = new Map<string, Hub>();
  metrics.gauge('stream_clients', () => [...hubs.values()].reduce((sum, hub) => sum + hub.clients(), 0));
  let stopped = false;
  return {
    /** Returns the hub of a workspace, which is created at the first call. */
    of(workspace: Streamed): Hub {
      const known = hubs.get(workspace.id);
      if (known !== undefined) return known;
      const hub = createHub(workspace, settings, metrics);
      hubs.set(workspace.id, hub);
      if (!stopped) hub.start();
      return hub;
    },
    /** Closes the streams of principals for which `stands` returns false. */
    sweep(stands: (by: Principal) => boolean): void {
      for (const hub of hubs.values()) hub.sweep(stands);
    },
    stop(): void {
      stopped = true;
      for (const hub of hubs.values()) hub.stop();
    },
  };
}
