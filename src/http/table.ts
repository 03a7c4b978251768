import type { Route } from './route.ts';
import { evidenceRoutes } from './routes/evidence.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { linkRoutes } from './routes/links.ts';
import { logRoutes } from './routes/log.ts';
import { pictureRoutes } from './routes/picture.ts';
import { retentionRoutes } from './routes/retention.ts';
import { rootRoutes, selfRoutes } from './routes/self.ts';
import { sensorRoutes } from './routes/sensors.ts';
import { simulatorRoutes } from './routes/simulator.ts';
import { trackRoutes } from './routes/tracks.ts';

/** Every route there is, once. */
export const table: { mounts: readonly string[]; mounted: readonly Route[]; rooted: readonly Route[] } = {
  mounts: ['/api', '/v1'],
  mounted: [
    ...pictureRoutes,
    ...trackRoutes,
    ...sensorRoutes,
    ...linkRoutes,
    ...ingestRoutes,
    ...simulatorRoutes,
    ...logRoutes,
    ...evidenceRoutes,
    ...retentionRoutes,
    ...selfRoutes,
  ],
  rooted: rootRoutes,
};
