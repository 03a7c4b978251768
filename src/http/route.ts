import type { Context } from 'koa';
import { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { Principal } from '../access/principal.ts';
import type { Role } from '../model/actor.ts';
import type { FaultCode } from '../model/fault.ts';
import { uuid } from '../model/scalar.ts';
import type { BodyBudget } from './body.ts';
import type { HttpMetrics } from './log.ts';
import { changesWhatIsShown } from './past.ts';
import type { ParameterSchema } from './query.ts';
import type { ServedLogLevel, ServedMaps, ServedWorkspace, ServedWorkspaces, ServedWorld } from './served.ts';
import type { HttpSettings } from './settings.ts';
import type { Hub } from './stream/hub.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Parts that a handler may use besides its request; they belong to the request's workspace unless stated otherwise. */
export type Room = {
  workspace: ServedWorkspace;
  /** Shown world of the workspace; it stays the same for the whole request. */
  shown: ServedWorld;
  /** Registry of the shown world. */
  registry: ServedWorld['registry'];
  access: Access;
  /** Base maps of the box. */
  maps: ServedMaps;
  logLevel: ServedLogLevel;
  /** All workspaces of the box, for the few routes that concern the whole box. */
  workspaces: ServedWorkspaces;
  settings: HttpSettings;
  hub: Hub;
  metrics: HttpMetrics;
  budget: BodyBudget;
  /** Documents about the service. The texts of `openapi` and `streamSchema` are built once, `manifest` each time. */
  documents: Documents;
};

export type Documents = { openapi(): string; streamSchema(): string; manifest(): string };

export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** Caller of the request. */
  by: Principal;
  /** Address of the sender in plain form. */
  from: string;
  ctx: Context;
};

export const tags = {
  picture: 'The current picture and the stream of its changes',
  tracks: 'Tracks, their histories and the detections under them',
  threats: 'Threats: tracks with their scores and the factors of each score',
  engagement: 'Responses to tracks: plans, approvals and their outcome',
  sensors: 'Sensors: declared by people, or discovered on links',
  links: 'Links: serial, UDP, TCP and file connections to sensors and vehicles',
  zones: 'Zones and regions',
  rules: 'Rules: conditions that raise alerts',
  alerts: 'Alerts: raised by rules, acknowledged by people',
  webhooks: 'Webhooks: signed deliveries of alerts and events',
  outlets: 'Outlets: the live picture to other systems',
  settings: 'Settings of a workspace: decision config, discovery, doctrine',
  ingest: 'Observations from outside',
  fleet: 'Friendly vehicles: their state, commands and tasks',
  simulator: 'The simulator and its scenarios',
  recordings: 'Recordings of the input of the live world',
  assets: 'Assets: the platforms, sensors and posts that operators own',
  assignments: 'Assignments: the affiliation that operators give to assets',
  maps: 'Base maps of the box: files of tiles',
  catalog: 'Types of platforms and sensors',
  log: 'The event log, evidence, and how long they are kept',
  access: 'Access: sign-in, users, keys, workspaces',
  service: 'The service describing itself',
} as const;
export type Tag = keyof typeof tags;

/**
 * Description of a successful answer. `data` is the content of the envelope; `files` are media types outside the
 * envelope. If `paged` is true, the header `X-Next-Cursor` has the next cursor. `example` is a value, or a function
 * that makes it when the document is written.
 */
export type Answer = {
  text: string;
  data?: z.ZodType;
  example?: unknown;
  paged?: boolean;
  files?: Record<string, FileShape>;
  /** Constant data of every success; the handler's result is ignored. */
  fixed?: unknown;
  /** Answers without a body, as status and description. */
  empty?: Record<number, string>;
};
/** Description of an answer outside the envelope. Without a schema it is text. */
export type FileShape = { schema?: Record<string, unknown>; example?: unknown };

/**
 * Description of a request body. By default it is parsed and validated before the handler runs. With `lines` (schema of
 * a row) or `files` (further media types), the handler reads and validates the body itself, and `schema` is only
 * documentation. With `text` the handler gets the unparsed body. With `bytes` it reads the file itself.
 */
export type Body<B> = {
  schema: z.ZodType<B>;
  example: unknown;
  lines?: z.ZodType;
  files?: Record<string, FileShape>;
  text?: PlainText;
  /** Media types of a file that the handler reads as it arrives; `schema` is then unused. */
  bytes?: readonly string[];
};
/** Body as unparsed text of the media type `type` or `also`, with at most `bytes` bytes. */
export type PlainText = { type: string; bytes: number; also?: string };

/**
 * Declaration of one route. Router, validation, OpenAPI document and tests are all derived from it. `path` is relative
 * to the mount, with parameters in the form `{id}`.
 */
export type Route<
  P extends ParameterSchema = ParameterSchema,
  Q extends ParameterSchema = ParameterSchema,
  B = unknown,
> = {
  method: Method;
  path: string;
  summary: string;
  description?: string;
  tag: Tag;
  params?: P;
  query?: Q;
  body?: Body<B>;
  answer: Answer;
  /** Failures in addition to those that follow from the route's shape (see `errorsOf`). */
  errors?: readonly FaultCode[];
  /** Lowest role that may use the route. */
  role: Role;
  /** True if the route changes something; viewers may not use it. */
  write: boolean;
  /**
   * True if a shown replay does not block the route, although the tag of the route would: the route acts on the live
   * world or the box, whichever world is shown.
   */
  whateverIsShown?: boolean;
  /**
   * True if the route is served during a recovery, when the state cannot be read; a function decides it by the body. By
   * default only GET routes are served.
   */
  inRecovery?: boolean | ((body: B) => boolean);
  /** True if the route requires a signed-in person; API keys and requests without a credential are refused. */
  session?: boolean;
  /** True if a ticket in the query can replace the credential. */
  ticket?: boolean;
  handler(call: Call<z.infer<P>, z.infer<Q>, B>, room: Room): unknown;
};

export const idParams = z.strictObject({ id: uuid });
type NoParameters = z.ZodObject<Record<never, never>>;
type ParamsOf<K> = K extends `${string}{id}${string}` ? typeof idParams : NoParameters;

const failuresOfWrite: readonly FaultCode[] = ['conflict', 'unavailable'];

/**
 * Declares the route `'METHOD /path'`. By default, `{id}` is a UUID, and every method except GET writes and may fail
 * with `conflict` and `unavailable`. Fields of `of` replace these defaults. The schemas give the parameters of
 * `handler` their types; the returned `Route` hides these types.
 */
export function route<
  K extends `${Method} /${string}`,
  P extends ParameterSchema = ParamsOf<K>,
  Q extends ParameterSchema = NoParameters,
  B = undefined,
>(key: K, of: Omit<Route<P, Q, B>, 'method' | 'path' | 'write'> & { write?: boolean }): Route {
  const [method, path] = key.split(' ') as [Method, string];
  const params = path.includes('{id}') ? { params: idParams } : {};
  const change = method === 'GET' ? { write: false } : { write: true, errors: failuresOfWrite };
  return { method, path, ...params, ...change, ...of } as unknown as Route;
}

/**
 * Returns the fields `tag` and `role` for the routes of a subject, by lowest role. Declarations of routes spread them.
 */
export function audience<T extends Tag>(tag: T) {
  return {
    viewers: { tag, role: 'viewer' },
    operators: { tag, role: 'operator' },
    owners: { tag, role: 'owner' },
  } as const;
}

const nothingTaken = new WeakMap<z.ZodType, boolean>();

/** Returns true if every field of a body is optional. A route with this body treats an absent body as `{}`. */
export function takesNothing(schema: z.ZodType): boolean {
  let takes = nothingTaken.get(schema);
  if (takes === undefined) {
    takes = schema.safeParse({}).success;
    nothingTaken.set(schema, takes);
  }
  return takes;
}

/** Returns the failure codes of a route that the OpenAPI document lists. */
export function errorsOf(of: Route): FaultCode[] {
  const codes = new Set<FaultCode>(['invalid_input', 'unauthenticated', 'forbidden', 'internal', ...(of.errors ?? [])]);
  if (of.params !== undefined) codes.add('not_found');
  if (changesWhatIsShown(of)) codes.add('conflict');
  if (of.body !== undefined)
    for (const code of ['too_large', 'unsupported_media_type', 'rate_limited'] as const) codes.add(code);
  return [...codes];
}
