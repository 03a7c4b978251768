import Koa from 'koa';
import { createBodyBudget } from './body.ts';
import { catchFaults } from './envelope.ts';
import { createGuard } from './guard.ts';
import { addSecurityHeaders } from './headers.ts';
import { closeUnread } from './linger.ts';
import type { HttpLog, HttpMetrics } from './log.ts';
import { makeManifest } from './manifest.ts';
import { answerUnrouted, createRouter } from './mount.ts';
import { makeOpenApi } from './openapi/document.ts';
import { makeStreamSchema } from './openapi/stream-schema.ts';
import type { Service } from './service.ts';
import type { HttpSettings } from './settings.ts';
import type { Hub } from './stream/hub.ts';
import { table } from './table.ts';

/** How long an unread body is thrown away so that its sender sees the answer. */
const lingerMs = 1_000;

let made: { openapi: string; streamSchema: string } | undefined;

/** The documents that depend on the program alone; making them takes a tenth of a second. */
function staticDocuments(): { openapi: string; streamSchema: string } {
  made ??= { openapi: JSON.stringify(makeOpenApi()), streamSchema: JSON.stringify(makeStreamSchema()) };
  return made;
}

/** What answers requests, from the outside in: headers, closing, counting, failures, the guard, the routes. */
export function createApp(parts: {
  service: Service;
  settings: HttpSettings;
  hub: Hub;
  log: HttpLog;
  metrics: HttpMetrics;
}): Koa {
  const { service, settings, hub, log, metrics } = parts;
  const app = new Koa();
  // What fails after an answer was begun can only be the connection's end.
  app.silent = true;
  const documents = {
    ...staticDocuments(),
    manifest: () => makeManifest(service, settings),
  };
  const budget = createBodyBudget(settings.limits.bodiesBytes);
  const router = createRouter(table, { service, settings, hub, budget, documents });
  app.use(addSecurityHeaders);
  app.use(closeUnread(lingerMs));
  app.use(async (ctx, next) => {
    await next();
    metrics.count('http_requests_total');
    if (ctx.status >= 500) metrics.count('http_server_errors_total');
    else if (ctx.status >= 400) metrics.count('http_client_errors_total');
  });
  app.use(catchFaults(log));
  app.use(createGuard(settings.access));
  app.use(router.routes());
  app.use(answerUnrouted(router));
  return app;
}
