import Koa from 'koa';
import { stringify } from 'yaml';
import type { Access } from '../access/access.ts';
import { eventBodies } from '../model/event.ts';
import { unavailable } from '../model/fault.ts';
import { protocols } from '../model/link.ts';
import { verbNames } from '../model/verb.ts';
import { createBodyBudget } from './body.ts';
import { compressAnswers } from './compress.ts';
import { serveConsole } from './console.ts';
import { noteDenials } from './denied.ts';
import { catchFaults } from './envelope.ts';
import { createGuard } from './guard.ts';
import { addSecurityHeaders } from './headers.ts';
import { closeUnread } from './linger.ts';
import type { HttpLog, HttpMetrics } from './log.ts';
import { answerUnrouted, createRouters } from './mount.ts';
import { makeOpenApi, makeStreamSchema } from './openapi/document.ts';
import type { Room } from './route.ts';
import type { ServedLogLevel, ServedMaps, ServedWorkspace, ServedWorkspaces } from './served.ts';
import type { HttpSettings } from './settings.ts';
import type { Hubs } from './stream/hubs.ts';
import { table } from './table.ts';
import { interfaceVersion } from './version.ts';

type ManifestFacts = Pick<ServedWorkspace, 'about' | 'id' | 'name' | 'settingsHash'>;

const features = [
  'tracking',
  'stream',
  'history',
  'ingest',
  'registry',
  'zones',
  'threats',
  'rules',
  'alerts',
  'webhooks',
  'outlets',
  'fleet',
  'commands',
  'engagement',
  'recordings',
  'maps',
];

/** Builds the answer of `GET /api/manifest.yaml`: the capabilities and settings of this build. */
function makeManifest({ about, id, name, settingsHash }: ManifestFacts, settings: HttpSettings): string {
  const { limits, stream } = settings;
  return stringify({
    name: about.name,
    version: about.version,
    build: about.build,
    interface_version: interfaceVersion,
    surfaces: table.mounts.map((path) => ({
      path,
      access: path === '/api' ? 'open to the trusted networks' : 'needs a credential',
    })),
    features,
    protocols: [...protocols],
    verbs: verbNames,
    event_kinds: Object.keys(eventBodies),
    limits: {
      body_bytes: limits.bodyBytes,
      ingest_body_bytes: limits.ingestBodyBytes,
      ingest_rows: limits.ingestRows,
      object_bytes: limits.objectBytes,
      json_depth: limits.jsonDepth,
      streams: stream.clients,
      heartbeat_s: stream.heartbeatMs / 1_000,
    },
    settings_hash: settingsHash,
    workspaces: [{ id, name }],
  });
}

/** Longest time for which the unread rest of a body is discarded, ms, so that its sender receives the answer. */
const lingerMs = 1_000;

/** Documents that depend only on the version of the program. */
const staticDocuments = { openapi: writtenOnce(makeOpenApi), streamSchema: writtenOnce(makeStreamSchema) };

/**
 * Returns a function that builds a document as text at the first call and keeps it, because building takes about 100
 * ms.
 */
function writtenOnce(make: () => object): () => string {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(make());
    return text;
  };
}

/**
 * Builds the Koa application. Its middleware, outermost first: security headers, closing of connections with an unread
 * body, counters, answers to failures, records of refusals, guard, console, compression, routes.
 */
export function createApp(parts: {
  workspaces: ServedWorkspaces;
  maps: ServedMaps;
  logLevel: ServedLogLevel;
  access: Access;
  settings: HttpSettings;
  hubs: Hubs;
  log: HttpLog;
  metrics: HttpMetrics;
}): Koa {
  const { workspaces, maps, logLevel, access, settings, hubs, log, metrics } = parts;
  const app = new Koa();
  // Once an answer has begun, a failure can only close the connection; Koa need not log it.
  app.silent = true;
  const budget = createBodyBudget(settings.limits.bodiesBytes);
  const roomOf = (workspaceId: string | null): Room => {
    const workspace = workspaceId === null ? workspaces.first : workspaces.get(workspaceId);
    // The guard admits only members of a workspace, so this workspace exists. It was created a moment ago, and has not
    // started yet.
    if (workspace === undefined)
      throw unavailable(`the workspace ${workspaceId} has not started yet: try again in a moment`);
    const { shown } = workspace;
    return {
      ...{ workspace, shown, registry: shown.registry, hub: hubs.of(workspace) },
      ...{ access, maps, logLevel, workspaces, settings, metrics, budget },
      documents: { ...staticDocuments, manifest: () => makeManifest(workspace, settings) },
    };
  };
  const routers = createRouters(table, roomOf);
  app.use(addSecurityHeaders);
  app.use(closeUnread(lingerMs));
  app.use(async (ctx, next) => {
    await next();
    metrics.count('http_requests_total');
    if (ctx.status >= 500) metrics.count('http_server_errors_total');
    else if (ctx.status >= 400) metrics.count('http_client_errors_total');
  });
  app.use(catchFaults(log));
  app.use(noteDenials(access));
  app.use(createGuard(settings.access, access, workspaces.first.id));
  app.use(serveConsole);
  app.use(compressAnswers());
  app.use(routers.serve);
  app.use(answerUnrouted(routers));
  return app;
}
