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

/** Parts that a handler may use besides its request: those of the request's workspace only. */
export type Room = {
  workspace: ServedWorkspace;
  /** The shown world of the workspace, the same from the beginning of the request to its end. */
  shown: ServedWorld;
  /** The registry of the shown world. */
  registry: ServedWorld['registry'];
  access: Access;
  /** The base maps of the box. */
  maps: ServedMaps;
  logLevel: ServedLogLevel;
  /** All workspaces of the box, for the few routes that belong to none. */
  workspaces: ServedWorkspaces;
  settings: HttpSettings;
  hub: Hub;
  metrics: HttpMetrics;
  budget: BodyBudget;
  /** The served documents; the text of each is made once. */
  documents: Documents;
};

export type Documents = { openapi(): string; streamSchema(): string; manifest(): string };

export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** The caller. */
  by: Principal;
  /** The sender's address, unmapped. */
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
 * The content of a success. `data` is put into the envelope; `files` are media types of answers outside it. `paged`:
 * the next cursor is in the header `X-Next-Cursor`. `example` is a value, or a function that makes it for the document.
 */
export type Answer = {
  text: string;
  data?: z.ZodType;
  example?: unknown;
  paged?: boolean;
  files?: Record<string, FileShape>;
  /** The data of every success, whatever the handler returns. */
  fixed?: unknown;
  /** Answers without a body, by status. */
  empty?: Record<number, string>;
};
/** Description of an answer outside the envelope; without a schema it is text. */
export type FileShape = { schema?: Record<string, unknown>; example?: unknown };

/**
 * A body. The room reads and validates it, except where `lines` is set. Then it is a list of rows that the handler
 * reads and validates one by one, and `schema` only documents it. `files` are other media types that such a handler
 * takes. With `text` the handler gets the body as received; with `bytes` it reads the file itself.
 */
export type Body<B> = {
  schema: z.ZodType<B>;
  example: unknown;
  lines?: z.ZodType;
  files?: Record<string, FileShape>;
  text?: PlainText;
  /** Media types of a file that the handler takes as it arrives; the schema is not used. */
  bytes?: readonly string[];
};
/** A raw body of this media type, or also of another, with at most `bytes` bytes. */
export type PlainText = { type: string; bytes: number; also?: string };

/**
 * One route: the router, the validation, the OpenAPI document and the tests are all made from it. Paths stand below
 * the mount and name parameters as `{id}`.
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
  /** Failures besides those that follow from the route's shape (see `errorsOf`). */
  errors?: readonly FaultCode[];
  /** The least role that may use the route. */
  role: Role;
  /** A route that changes something: a viewer's write is refused. */
  write: boolean;
  /** Whether the route acts on the real vehicles and not on the shown world: a replay does not block such a route. */
  whateverIsShown?: boolean;
  /** Whether the route is served while the state cannot be read; by default GET routes are and others are not. */
  inRecovery?: boolean | ((body: B) => boolean);
  /** Whether the route demands a signed-in person: the open surface and keys are refused. */
  session?: boolean;
  /** Whether a ticket in the query can replace a credential. */
  ticket?: boolean;
  handler(call: Call<z.infer<P>, z.infer<Q>, B>, room: Room): unknown;
};

export const idParams = z.strictObject({ id: uuid });
type NoParameters = z.ZodObject<Record<never, never>>;
type ParamsOf<K> = K extends `${string}{id}${string}` ? typeof idParams : NoParameters;

const failuresOfWrite: readonly FaultCode[] = ['conflict', 'unavailable'];

/**
 * Declares the route `'METHOD /path'`. By default `{id}` is a UUID; every method but GET writes, and can fail with
 * `conflict` and `unavailable`. The handler sees the types of parameters and body; the table does not.
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

/** Tag and least role of a subject's routes: the first fields of a declaration. */
export function audience<T extends Tag>(tag: T) {
  return {
    viewers: { tag, role: 'viewer' },
    operators: { tag, role: 'operator' },
    owners: { tag, role: 'owner' },
  } as const;
}

const nothingTaken = new WeakMap<z.ZodType, boolean>();

/** Whether every field of a body is optional: such a route takes an absent body as `{}`. */
export function takesNothing(schema: z.ZodType): boolean {
  let takes = nothingTaken.get(schema);
  if (takes === undefined) {
    takes = schema.safeParse({}).success;
    nothingTaken.set(schema, takes);
  }
  return takes;
}

/** Every failure a route can answer with, in order of status. */
export function errorsOf(of: Route): FaultCode[] {
  const codes = new Set<FaultCode>(['invalid_input', 'unauthenticated', 'forbidden', 'internal', ...(of.errors ?? [])]);
  if (of.params !== undefined) codes.add('not_found');
  if (changesWhatIsShown(of)) codes.add('conflict');
  if (of.body !== undefined)
    for (const code of ['too_large', 'unsupported_media_type', 'rate_limited'] as const) codes.add(code);
  return [...codes];
}
