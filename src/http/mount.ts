import { Router, type RouterContext } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { z } from 'zod';
import { requireRole, requireSession } from '../access/principal.ts';
import { Fault, notFound, unavailable } from '../model/fault.ts';
import { faultOfIssues } from '../model/issue.ts';
import { isAbsent, readText, requireMediaType } from './body.ts';
import { routeFound } from './denied.ts';
import { succeed } from './envelope.ts';
import { principalOf } from './guard.ts';
import { parseJson } from './json.ts';
import { nearestRoute } from './nearest.ts';
import { plainAddress } from './network.ts';
import { OwnAnswer } from './own_answer.ts';
import { refuseInPast } from './past.ts';
import { requireStill } from './permission.ts';
import { fromText, isNumeric, readQuery } from './query.ts';
import { type Body, type Call, type PlainText, type Room, type Route, takesNothing } from './route.ts';
import type { HttpSettings } from './settings.ts';

/**
 * Creates the routers of the table. `mounts` are the path prefixes `/api` and `/v1`. Routes in `mounted` exist below
 * each of them, routes in `rooted` at the root.
 */
export function createRouters(
  table: { mounts: readonly string[]; mounted: readonly Route[]; rooted: readonly Route[] },
  roomOf: (workspaceId: string | null) => Room,
): Routers {
  const routers = new Routers();
  const named = namedPaths(table);
  const add = (mount: string, of: Route): void => {
    const path = `${mount}${of.path}`;
    // A route without parameters takes precedence: `/assets/export` is then not read as an asset with the id `export`.
    const handle = (ctx: RouterContext, next: () => Promise<unknown>): Promise<unknown> =>
      path !== ctx.path && named.has(ctx.path) ? next() : serve(of, ctx, roomOf);
    routers.add(path, of.method, handle);
  };
  for (const mount of table.mounts) for (const of of table.mounted) add(mount, of);
  for (const of of table.rooted) add('', of);
  return routers;
}

/** Returns the paths without parameters. */
function namedPaths({ mounts, mounted }: { mounts: readonly string[]; mounted: readonly Route[] }): Set<string> {
  const plain = mounted.filter(({ path }) => !path.includes('{'));
  return new Set(mounts.flatMap((mount) => plain.map(({ path }) => mount + path)));
}

async function serve(of: Route, ctx: RouterContext, roomOf: (workspaceId: string | null) => Room): Promise<void> {
  const by = principalOf(ctx);
  routeFound(ctx, of);
  const room = roomOf(by.workspaceId);
  // Recovery is checked before the session, because nobody can sign in during a recovery.
  refuseInRecovery(of, room.settings);
  if (of.session) requireSession(by, of.summary);
  requireRole(by, of.role, of.write, of.summary);
  refuseInPast(of, room);
  const call: Call<Record<string, unknown>, Record<string, unknown>, unknown> = {
    params: readParams(of, ctx.params, room),
    query: readQuery(of.query ?? noParameters, new URLSearchParams(ctx.querystring)),
    body: undefined,
    by,
    from: plainAddress(ctx.req.socket.remoteAddress ?? ''),
    ctx,
  };
  const { body } = of;
  if (body?.text !== undefined) call.body = await readPlain(body.text, ctx, room);
  else if (body !== undefined && !isReadByHandler(body))
    call.body =
      isAbsent(ctx.req) && takesNothing(body.schema) ? body.schema.parse({}) : await readBody(body.schema, ctx, room);
  // A body may take many seconds to arrive. In this time its sender may have lost the right to send it.
  if (body !== undefined) requireStill(by, room);
  if (call.body !== undefined) refuseInRecovery(of, room.settings, call.body);
  const answer = await of.handler(call, room);
  if (ctx.respond === false) return;
  if (answer instanceof OwnAnswer) await answer.write(ctx);
  else succeed(ctx, of.answer.fixed ?? answer);
}

function isReadByHandler({ lines, files, bytes }: Body<unknown>): boolean {
  return lines !== undefined || files !== undefined || bytes !== undefined;
}

const noParameters = z.strictObject({});

/**
 * Parses the path parameters. A text that is not an id names nothing, so the fault is `not_found`. A malformed number
 * is `invalid_input`.
 */
function readParams(of: Route, params: Record<string, string>, room: Room): Record<string, unknown> {
  // A route that passed the request on may have left its parameters in `params`; a route without parameters ignores
  // them.
  if (of.params === undefined) return {};
  const { shape } = of.params;
  const values = Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, fromText(field, params[name] ?? '')]),
  );
  const read = of.params.safeParse(values);
  if (read.success) return read.data;
  // A malformed number is a mistake of the caller. A text that is not an id may be a name, for example a track's
  // number.
  if (read.error.issues.every(({ path: [name] }) => isNumeric(shape[String(name)])))
    throw faultOfIssues(read.error.issues, 'the path', values);
  const text = String(Object.values(params)[0] ?? '').slice(0, 60);
  const isNumber = /^T-\d+$/.test(text);
  const track = isNumber ? room.shown.tracks.list().find(({ number }) => number === text) : undefined;
  if (track) throw notFound(`${text} is the number of a track, but this route needs the id of the track: ${track.id}`);
  const id = JSON.stringify(text);
  throw notFound(`there is nothing with the id ${id}; ids are UUIDs`);
}

function readPlain({ type, bytes, also }: PlainText, ctx: Context, room: Room): Promise<string> {
  requireMediaType(ctx.req, also === undefined ? [type] : [type, also]);
  return readText(ctx.req, ctx.res, Math.min(bytes, room.settings.limits.bodyBytes), room.budget);
}

async function readBody(schema: z.ZodType, ctx: Context, room: Room): Promise<unknown> {
  requireMediaType(ctx.req, ['application/json']);
  const { bodyBytes, jsonDepth } = room.settings.limits;
  const text = await readText(ctx.req, ctx.res, bodyBytes, room.budget);
  const value = parseJson(text, 'the body', jsonDepth);
  const read = schema.safeParse(value);
  if (!read.success) throw faultOfIssues(read.error.issues, 'the body', value, schema);
  return read.data;
}

/** Builds the handler of requests without a route: OPTIONS of a known path, a wrong method, or an unknown path. */
export function answerUnrouted(routers: Routers) {
  return async (ctx: Context): Promise<void> => {
    const matching = routers.matching(ctx.path);
    const named = matching.filter(({ path }) => path === ctx.path);
    const methods = new Set((named.length > 0 ? named : matching).flatMap((layer) => layer.methods));
    if (methods.size === 0) throw unknownRoute(ctx.path, routers);
    const allowed = [...methods, 'OPTIONS'].sort().join(', ');
    ctx.set('Allow', allowed);
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      return;
    }
    throw new Fault('method_not_allowed', `${ctx.path.slice(0, 200)} accepts ${allowed}, but not ${ctx.method}`);
  };
}

/** Returns the fault of an unknown path. Its sentence names the most similar route, if one is similar. */
function unknownRoute(path: string, { methods }: Routers): Fault {
  const nearest = nearestRoute(path, methods.keys());
  const named = nearest === null ? null : `${methods.get(nearest)?.join(', ')} ${nearest}`;
  const remedy = named === null ? 'GET /api/openapi.json has all routes' : `the most similar route is ${named}`;
  return notFound(`there is no route ${path.slice(0, 200)}; ${remedy}`);
}

/**
 * Refuses routes that are not served while the box runs in recovery, without its stored state. By default, only GET
 * routes are served. `inRecovery` of a route overrides this, for example for routes that protect the site with data in
 * memory. The check runs before the body is read, and again with the body for routes that decide by the body.
 */
function refuseInRecovery(of: Route, { recovery }: Pick<HttpSettings, 'recovery'>, body?: unknown): void {
  if (recovery === null || isServed(of, body)) return;
  throw unavailable(recovery);
}

function isServed({ method, inRecovery }: Route, body: unknown): boolean {
  if (inRecovery === undefined) return method === 'GET';
  if (typeof inRecovery === 'boolean') return inRecovery;
  return body === undefined || inRecovery(body);
}

type Handle = (ctx: RouterContext, next: () => Promise<unknown>) => Promise<unknown>;

/**
 * Routers by the first two parts of a path. A router tests all its routes for each request. There are hundreds of
 * routes, but only a few with the same beginning.
 */
class Routers {
  readonly #byBeginning = new Map<string, { router: Router; serve: Middleware }>();
  readonly #methods = new Map<string, string[]>();

  /** Adds a route. `template` has parameters in the form `{id}`; its first two parts must not be parameters. */
  add(template: string, method: string, handle: Handle): void {
    const path = template.replace(/\{(\w+)\}/g, ':$1');
    this.#methods.set(template, [...(this.#methods.get(template) ?? []), method]);
    this.#of(path).register(path, [method], [handle]);
  }

  /** Returns the methods of each path template; parameters have the form `{id}`. */
  get methods(): ReadonlyMap<string, readonly string[]> {
    return this.#methods;
  }

  serve = (ctx: Context, next: Next): Promise<unknown> => {
    return this.#byBeginning.get(beginningOf(ctx.path))?.serve(ctx, next) ?? next();
  };

  /** Returns the routes that match a path, for any method. */
  matching(path: string): ReturnType<Router['match']>['path'] {
    return this.#byBeginning.get(beginningOf(path))?.router.match(path, 'GET').path ?? [];
  }

  #of(path: string): Router {
    const beginning = beginningOf(path);
    if (beginning.includes(':')) throw new TypeError(`${path} begins with a parameter`);
    const known = this.#byBeginning.get(beginning);
    if (known) return known.router;
    // Matching is strict and case-sensitive, because the guard has checked the path only in exactly this form.
    const router = new Router({ strict: true, sensitive: true });
    this.#byBeginning.set(beginning, { router, serve: router.routes() as Middleware });
    return router;
  }
}

/** Returns the first two parts of a path, for example `/api/tracks` of `/api/tracks/T-1/history`. */
function beginningOf(path: string): string {
  const second = path.indexOf('/', 1);
  const third = second < 0 ? -1 : path.indexOf('/', second + 1);
  return third < 0 ? path : path.slice(0, third);
}
