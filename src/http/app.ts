import Koa from 'koa';
import type { Access } from '../access/access.ts';
import { Fault } from '../model/fault.ts';
import { createBodyBudget } from './body.ts';
import { noteDenials } from './denied.ts';
import { catchFaults } from './envelope.ts';
import { createGuard } from './guard.ts';
import { addSecurityHeaders } from './headers.ts';
import { closeUnread } from './linger.ts';
import type { HttpLog, HttpMetrics } from './log.ts';
import { makeManifest } from './manifest.ts';
import { answerUnrouted, createRouters } from './mount.ts';
import { makeOpenApi } from './openapi/document.ts';
import { makeStreamSchema } from './openapi/stream-schema.ts';
import type { Room } from './route.ts';
import type { HttpSettings } from './settings.ts';
import type { Hubs } from './stream/hubs.ts';
import { table } from './table.ts';
import type { HttpWorkspaces } from './workspace.ts';

/** How long an unread body is thrown away so that its sender sees the answer. */
const lingerMs = 1_000;

const made: { openapi?: string; streamSchema?: string } = {};

/** The documents that depend on the program alone, made when they are first asked for: it takes a tenth of a second. */
const staticDocuments = {
  openapi(): string {
    made.openapi ??= JSON.stringify(makeOpenApi());
    return made.openapi;
  },
  streamSchema(): string {
    made.streamSchema ??= JSON.stringify(makeStreamSchema());
    return made.streamSchema;
  },
};

/** What answers requests, from the outside in: headers, closing, counting, failures, the guard, the routes. */
export function createApp(parts: {
  workspaces: HttpWorkspaces;
  access: Access;
  settings: HttpSettings;
  hubs: Hubs;
  log: HttpLog;
  metrics: HttpMetrics;
}): Koa {
  const { workspaces, access, settings, hubs, log, metrics } = parts;
  const app = new Koa();
  // What fails after an answer was begun can only be the connection's end.
  app.silent = true;
  const budget = createBodyBudget(settings.limits.bodiesBytes);
  const roomOf = (workspaceId: string | null): Room => {
    const workspace = workspaceId === null ? workspaces.first : workspaces.get(workspaceId);
    // Whoever asks for it is a member: it was made a moment ago and is not at work yet.
    if (workspace === undefined) throw new Fault('unavailable', `the workspace ${workspaceId} is not at work yet`);
    // Field by field, since this is asked of each request: which world a workspace shows may be another one since the last.
    return {
      service: workspace.service,
      registry: workspace.registry,
      alerts: workspace.alerts,
      webhooks: workspace.webhooks,
      fleet: workspace.fleet,
      commands: workspace.commands,
      engagements: workspace.engagements,
      stopAll: (...asked) => workspace.stopAll(...asked),
      simulator: workspace.simulator,
      recordings: workspace.recordings,
      hub: hubs.of(workspace.id, workspace.service),
      access,
      workspaces,
      settings,
      budget,
      documents: { ...staticDocuments, manifest: () => makeManifest(workspace.service, settings) },
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
  app.use(routers.serve);
  app.use(answerUnrouted(routers));
  return app;
}
