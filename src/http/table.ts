import type { Route } from './route.ts';
import { assetFileRoutes } from './routes/asset_files.ts';
import { assetRoutes } from './routes/assets.ts';
import { assignmentRoutes } from './routes/assignments.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { linkRoutes } from './routes/links.ts';
import { logRoutes } from './routes/log.ts';
import { pictureRoutes } from './routes/picture.ts';
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
    ...assetFileRoutes,
    ...assetRoutes,
    ...assignmentRoutes,
    ...catalogRoutes,
    ...ingestRoutes,
    ...simulatorRoutes,
    ...logRoutes,
    ...selfRoutes,
  ],
  rooted: rootRoutes,
};
