import type { Principal } from '../../access/principal.ts';
import type { HttpMetrics } from '../log.ts';
import type { Service } from '../service.ts';
import type { StreamSettings } from '../settings.ts';
import { createHub, type Hub } from './hub.ts';

/** The streams of every workspace, each workspace's apart. */
export type Hubs = {
  /** The hub of a workspace; it begins to listen when it is first asked for. */
  of(workspaceId: string, service: Pick<Service, 'stream'>): Hub;
  /** Ends the streams of those of whom `stands` does not hold any more. */
  sweep(stands: (by: Principal) => boolean): void;
  /** Ends every stream. */
  stop(): void;
};

export function createHubs(settings: StreamSettings, metrics: HttpMetrics): Hubs {
  const hubs = new Map<string, Hub>();
  metrics.gauge('stream_clients', () => [...hubs.values()].reduce((sum, hub) => sum + hub.clients(), 0));
  let stopped = false;
  return {
    of(workspaceId, service) {
      const known = hubs.get(workspaceId);
      if (known !== undefined) return known;
      const hub = createHub(service, settings, metrics);
      hubs.set(workspaceId, hub);
      if (!stopped) hub.start();
      return hub;
    },
    sweep(stands) {
      for (const hub of hubs.values()) hub.sweep(stands);
    },
    stop() {
      stopped = true;
      for (const hub of hubs.values()) hub.stop();
    },
  };
}
