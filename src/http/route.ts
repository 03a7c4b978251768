import type { Context } from 'koa';
import { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { Principal } from '../access/principal.ts';
import type { CommandDesk } from '../command/control/desk.ts';
import type { Engagements } from '../command/engagement/engagements.ts';
import type { Fleet } from '../command/fleet/fleet.ts';
import type { Role } from '../model/actor.ts';
import type { FaultCode } from '../model/fault.ts';
import { uuid } from '../model/scalar.ts';
import type { Webhooks } from '../notify/webhooks.ts';
import type { Registry } from '../registry/registry.ts';
import type { AlertDesk } from '../worlds/alerts/desk.ts';
import type { RecordingDesk } from '../worlds/replay/desk.ts';
import type { BodyBudget } from './body.ts';
import { changesWhatIsShown } from './past.ts';
import type { ParameterSchema } from './query.ts';
import type { Service } from './service.ts';
import type { HttpSettings } from './settings.ts';
import type { Simulator } from './simulator.ts';
import type { Hub } from './stream/hub.ts';
import type { HttpWorkspaces } from './workspace.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler may use besides its request: the workspace that the request is for, and nothing of another. */
export type Room = {
  service: Service;
  registry: Registry;
  alerts: AlertDesk;
  webhooks: Webhooks;
  fleet: Fleet;
  commands: CommandDesk;
  engagements: Engagements;
  /** Stops the live world too, whichever is shown. */
  stopAll: Engagements['stopAll'];
  simulator: Simulator;
  recordings: RecordingDesk;
  access: Access;
  /** All of the box, for the few routes that are of none of them. */
  workspaces: HttpWorkspaces;
  settings: HttpSettings;
  hub: Hub;
  budget: BodyBudget;
  /** The served documents, made once. */
  documents: Documents;
};

export type Documents = { openapi(): string; streamSchema(): string; manifest(): string };

export type Call<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  /** Who asks. */
  by: Principal;
  /** The sender's address, unmapped. */
  from: string;
  ctx: Context;
};

export const tags = {
  picture: 'The current picture and the stream of its changes',
  tracks: 'Tracks, their histories and the detections under them',
  threats: 'Which tracks matter, and why',
  engagement: 'What may be done about tracks: plans, who approved them, what became of them',
  sensors: 'What observes',
  links: 'Ways in and out for bytes',
  zones: 'Zones and regions',
  rules: 'What is told to people, and when',
  alerts: 'What somebody has to be told of',
  webhooks: 'Who else is told of it',
  settings: 'What a workspace decides by: decision config, discovery, doctrine',
  ingest: 'Observations from outside',
  fleet: 'Friendly vehicles: who is heard, what they are told and what they do',
  simulator: 'The simulator, and the scenarios that it flies',
  recordings: 'What entered the live world, kept as it came',
  assets: 'The platforms, sensors and posts that operators own',
  assignments: 'Whom persons hold assets for',
  catalog: 'Types of platforms and sensors',
  log: 'The event log, evidence, and how long they are kept',
  access: 'Who may: signing in, users, keys, workspaces',
  service: 'The service describing itself',
} as const;
export type Tag = keyof typeof tags;

/**
 * What a success carries. `data` stands in the envelope; `files` are the media types that stand alone, outside it.
 * `paged`: the next cursor travels in `X-Next-Cursor`.
 */
export type Answer = {
  text: string;
  data?: z.ZodType;
  example?: unknown;
  paged?: boolean;
  files?: Record<string, FileShape>;
};
/** What the document says of an answer outside the envelope; without a schema it is text. */
export type FileShape = { schema?: Record<string, unknown>; example?: unknown };

/**
 * A body. The room reads and validates it, except where `lines` is set: then it is a list of rows that the handler
 * reads and judges one by one, and `schema` only documents it. `files` are other media types that such a handler takes.
 * With `text` the handler gets it as it came.
 */
export type Body<B> = {
  schema: z.ZodType<B>;
  example: unknown;
  lines?: z.ZodType;
  files?: Record<string, FileShape>;
  text?: PlainText;
};
/** A body that is taken as it comes: of this media type, or also of another, of at most so many bytes. */
export type PlainText = { type: string; bytes: number; also?: string };

/**
 * One route: the router, the validation, the OpenAPI document and the tests are all made from it. Paths stand below
 * the mount and name parameters as `{id}`.
 */
export type RouteOf<P extends ParameterSchema, Q extends ParameterSchema, B> = {
  method: Method;
  path: string;
  summary: string;
  description?: string;
  tag: Tag;
  params?: P;
  query?: Q;
  body?: Body<B>;
  answer: Answer;
  /** Besides those that follow from the route's shape (see `errorsOf`). */
  errors?: readonly FaultCode[];
  /** The least role that may use it, and whether it changes anything: a viewer's write is refused. */
  role: Role;
  write: boolean;
  /** It is of what flies, not of what is shown: a replay does not stand in its way. */
  whateverIsShown?: boolean;
  /** Whether it is served while the state cannot be read, where that is not so for each GET and for nothing else. */
  inRecovery?: boolean | ((body: B) => boolean);
  /** Only for people who have signed in: neither the open surface nor a key will do. */
  session?: boolean;
  handler(call: Call<z.infer<P>, z.infer<Q>, B>, room: Room): unknown;
};
export type Route = RouteOf<ParameterSchema, ParameterSchema, unknown>;

type NoParameters = z.ZodObject<Record<never, never>>;

/** Keeps the types of parameters and body for the handler, and forgets them for the table. */
export function route<
  P extends ParameterSchema = NoParameters,
  Q extends ParameterSchema = NoParameters,
  B = undefined,
>(of: RouteOf<P, Q, B>): Route {
  return of as unknown as Route;
}

export const idParams = z.strictObject({ id: uuid });

/** Every failure a route can answer with, in order of status. */
export function errorsOf(of: Route): FaultCode[] {
  const codes = new Set<FaultCode>(['invalid_input', 'unauthenticated', 'forbidden', 'internal', ...(of.errors ?? [])]);
  if (of.params !== undefined) codes.add('not_found');
  if (changesWhatIsShown(of)) codes.add('conflict');
  if (of.body !== undefined)
    for (const code of ['too_large', 'unsupported_media_type', 'rate_limited'] as const) codes.add(code);
  return [...codes];
}

/** A file that is made while it is sent. */
export class StreamAnswer {
  readonly type: string;
  readonly fileName: string;
  readonly content: AsyncIterable<Buffer>;

  constructor(type: string, fileName: string, content: AsyncIterable<Buffer>) {
    this.type = type;
    this.fileName = fileName;
    this.content = content;
  }
}

/** A list whose rows are JSON texts already. It is written in pieces, so that no other request waits for a long one. */
export class TextRows {
  readonly texts: Iterable<string>;

  constructor(texts: Iterable<string>) {
    this.texts = texts;
  }
}

/** A document that is JSON text already. */
export class JsonAnswer {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An answer outside the envelope. */
export class FileAnswer {
  readonly type: string;
  readonly text: string;
  /** What a browser is to call it where it keeps it. */
  readonly name: string | null;

  constructor(type: string, text: string, name: string | null = null) {
    this.type = type;
    this.text = text;
    this.name = name;
  }
}
