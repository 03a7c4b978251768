import type { Route } from './route.ts';
import { accessRoutes } from './routes/access.ts';
import { alertRoutes } from './routes/alerts.ts';
import { assetFileRoutes } from './routes/asset_files.ts';
import { assetRoutes } from './routes/assets.ts';
import { assignmentRoutes } from './routes/assignments.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { decisionRoutes } from './routes/decision.ts';
import { doctrineRoutes } from './routes/doctrine.ts';
import { engagementRoutes } from './routes/engagement.ts';
import { evidenceRoutes } from './routes/evidence.ts';
import { fleetRoutes } from './routes/fleet.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { linkRoutes } from './routes/links.ts';
import { logRoutes } from './routes/log.ts';
import { logLevelRoutes } from './routes/log_level.ts';
import { mapRoutes } from './routes/maps.ts';
import { outletRoutes } from './routes/outlets.ts';
import { pictureRoutes } from './routes/picture.ts';
import { recordingRoutes } from './routes/recordings.ts';
import { retentionRoutes } from './routes/retention.ts';
import { ruleRoutes } from './routes/rules.ts';
import { runRoutes } from './routes/runs.ts';
import { scenarioRoutes } from './routes/scenarios.ts';
import { rootRoutes, selfRoutes } from './routes/self.ts';
import { sensorRoutes } from './routes/sensors.ts';
import { sightingRoutes } from './routes/sightings.ts';
import { simulatorRoutes } from './routes/simulator.ts';
import { threatRoutes } from './routes/threats.ts';
import { trackRoutes } from './routes/tracks.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { zoneRoutes } from './routes/zones.ts';

/** Table of all routes. */
export const table: { mounts: readonly string[]; mounted: readonly Route[]; rooted: readonly Route[] } = {
  mounts: ['/api', '/v1'],
  mounted: [
    ...pictureRoutes,
    ...trackRoutes,
    ...sightingRoutes,
    ...threatRoutes,
    ...engagementRoutes,
    ...sensorRoutes,
    ...linkRoutes,
    ...fleetRoutes,
    ...zoneRoutes,
    ...ruleRoutes,
    ...alertRoutes,
    ...webhookRoutes,
    ...outletRoutes,
    ...decisionRoutes,
    ...doctrineRoutes,
    ...assetFileRoutes,
    ...assetRoutes,
    ...assignmentRoutes,
    ...catalogRoutes,
    ...mapRoutes,
    ...ingestRoutes,
    ...simulatorRoutes,
    ...scenarioRoutes,
    ...runRoutes,
    ...recordingRoutes,
    ...logRoutes,
    ...accessRoutes,
    ...evidenceRoutes,
    ...retentionRoutes,
    ...logLevelRoutes,
    ...selfRoutes,
  ],
  rooted: rootRoutes,
};
