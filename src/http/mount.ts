import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { requireRole, requireSession } from '../access/principal.ts';
import { Fault } from '../model/fault.ts';
import { sentenceOfIssues } from '../model/issue.ts';
import { readText, requireMediaType } from './body.ts';
import { routeFound } from './denied.ts';
import { jsonType, succeed, succeedWith } from './envelope.ts';
import { principalOf } from './guard.ts';
import { parseJson } from './json.ts';
import { plainAddress } from './network.ts';
import { refuseInPast } from './past.ts';
import { readQuery } from './query.ts';
import { refuseInRecovery } from './recovery.ts';
import {
  type Call,
  FileAnswer,
  JsonAnswer,
  type PlainText,
  type Room,
  type Route,
  StreamAnswer,
  TextRows,
} from './route.ts';
import { Routers } from './routers.ts';
import { rowsInPieces } from './rows_in_pieces.ts';

/** Makes routers of the table: each route of `mounted` stands below every mount, those of `rooted` by themselves. */
export function createRouters(
  table: { mounts: readonly string[]; mounted: readonly Route[]; rooted: readonly Route[] },
  roomOf: (workspaceId: string | null) => Room,
): Routers {
  const routers = new Routers();
  const named = namedPaths(table);
  const add = (mount: string, of: Route): void => {
    const path = `${mount}${of.path}`.replace(/\{(\w+)\}/g, ':$1');
    // Where a path is named by itself, what stands there is no id.
    const handle = (ctx: RouterContext, next: () => Promise<unknown>): Promise<unknown> =>
      path !== ctx.path && named.has(ctx.path) ? next() : serve(of, ctx, roomOf);
    routers.add(path, of.method, handle);
  };
  for (const mount of table.mounts) for (const of of table.mounted) add(mount, of);
  for (const of of table.rooted) add('', of);
  return routers;
}

/** The paths that have no parameter. */
function namedPaths({ mounts, mounted }: { mounts: readonly string[]; mounted: readonly Route[] }): Set<string> {
  const plain = mounted.filter(({ path }) => !path.includes('{'));
  return new Set(mounts.flatMap((mount) => plain.map(({ path }) => mount + path)));
}

async function serve(of: Route, ctx: RouterContext, roomOf: (workspaceId: string | null) => Room): Promise<void> {
  const by = principalOf(ctx);
  routeFound(ctx, of);
  const room = roomOf(by.workspaceId);
  // Before the session is asked for: nobody can sign in.
  refuseInRecovery(of, room.settings);
  if (of.session) requireSession(by, of.summary);
  requireRole(by, of.role, of.write, of.summary);
  refuseInPast(of, room);
  const call: Call<Record<string, unknown>, Record<string, unknown>, unknown> = {
    params: readParams(of, ctx.params),
    query: readQuery(of.query ?? noParameters, new URLSearchParams(ctx.querystring)),
    body: undefined,
    by,
    from: plainAddress(ctx.req.socket.remoteAddress ?? ''),
    ctx,
  };
  const { body } = of;
  if (body?.text !== undefined) call.body = await readPlain(body.text, ctx, room);
  else if (body !== undefined && body.lines === undefined && body.files === undefined)
    call.body = await readBody(body.schema, ctx, room);
  // A body may take half a minute to arrive, in which its sender may have lost his standing.
  if (body !== undefined && !room.access.standsAs(by)) throw standingLost();
  if (call.body !== undefined) refuseInRecovery(of, room.settings, call.body);
  const answer = await of.handler(call, room);
  if (ctx.respond === false) return;
  if (answer instanceof FileAnswer) {
    ctx.status = 200;
    ctx.type = answer.type;
    ctx.body = answer.text;
    if (answer.name !== null) ctx.set('Content-Disposition', `attachment; filename="${answer.name}"`);
  } else if (answer instanceof StreamAnswer) await send(answer, ctx);
  else if (answer instanceof TextRows) {
    ctx.status = 200;
    ctx.type = jsonType;
    ctx.body = Readable.from(rowsInPieces(answer.texts));
  } else if (answer instanceof JsonAnswer) succeedWith(ctx, answer.text);
  else succeed(ctx, answer);
}

function standingLost(): Fault {
  const sentence = 'the key was revoked, or the user removed or changed, while the body of the request was on its way';
  return new Fault('unauthenticated', sentence);
}

/** Sends a file as it is made. One that breaks off, breaks the connection off too: it must not look whole. */
async function send({ type, fileName, content }: StreamAnswer, ctx: Context): Promise<void> {
  ctx.status = 200;
  ctx.type = type;
  ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
  if (ctx.method === 'HEAD') {
    ctx.body = '';
    return;
  }
  ctx.respond = false;
  ctx.res.statusCode = 200;
  try {
    await pipeline(Readable.from(content, { objectMode: false }), ctx.res);
  } catch (thrown) {
    // A client that left is no failure of ours.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw thrown;
  }
}

const noParameters = z.strictObject({});

/** Something that is not an id names nothing, so it is not found rather than wrong. */
function readParams(of: Route, params: Record<string, string>): Record<string, unknown> {
  const read = (of.params ?? noParameters).safeParse(params);
  if (read.success) return read.data;
  const id = JSON.stringify(String(Object.values(params)[0] ?? '').slice(0, 60));
  throw new Fault('not_found', `there is nothing with the id ${id}; ids are UUIDs`);
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
  if (!read.success) throw new Fault('invalid_input', sentenceOfIssues(read.error.issues, 'the body', value));
  return read.data;
}

/** Answers what no route took: OPTIONS of a known path, a known path with another method, or an unknown path. */
export function answerUnrouted(routers: Routers) {
  return async (ctx: Context): Promise<void> => {
    const matching = routers.matching(ctx.path);
    const named = matching.filter(({ path }) => path === ctx.path);
    const methods = new Set((named.length > 0 ? named : matching).flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new Fault('not_found', `there is no route ${ctx.path.slice(0, 200)}`);
    const allowed = [...methods, 'OPTIONS'].sort().join(', ');
    ctx.set('Allow', allowed);
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      return;
    }
    throw new Fault('method_not_allowed', `${ctx.path.slice(0, 200)} takes ${allowed}, not ${ctx.method}`);
  };
}
