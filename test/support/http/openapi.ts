import { createRequire } from 'node:module';
import type { Ajv as AjvType, ValidateFunction } from 'ajv';
import type { Answer } from './server.ts';

const require = createRequire(import.meta.url);
const { Ajv } = require('ajv') as { Ajv: typeof AjvType };
const addFormats = require('ajv-formats') as (ajv: AjvType) => void;

export type Media = { schema?: Schema; example?: unknown };
export type Schema = { [key: string]: unknown };
export type Response = { $ref?: string; content: Record<string, Media> };
export type Operation = {
  operationId: string;
  summary: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
};
export type OpenApi = {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  /** Methods by their names, and the servers of a path that has its own. */
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>;
  security: Record<string, string[]>[];
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, Schema>;
  };
};

/** Whether an operation is for people who signed in alone. */
export function takesSession({ security }: Operation): boolean {
  return security?.some((way) => 'session' in way) ?? false;
}

type Compile = (schema: unknown) => ValidateFunction;
const compilers = new WeakMap<OpenApi, Compile>();

const COMPONENTS = 'components';

/** Compiles schemas of a document, each once; references go into its components. */
export function compileFor(document: OpenApi): Compile {
  const compile = compilers.get(document) ?? createCompile(document);
  compilers.set(document, compile);
  return compile;
}

function createCompile(document: OpenApi): Compile {
  const compiled = new Map<unknown, ValidateFunction>();
  const ajv = new Ajv({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats(ajv);
  // A schema of its own: what many schemas refer to is then compiled once.
  ajv.addSchema({ $id: COMPONENTS, components: { schemas: asJsonSchema(document.components.schemas) } });
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile(asJsonSchema(schema ?? {}) as object);
    compiled.set(schema, validate);
    return validate;
  };
}

/** What OpenAPI 3.0 says in its own way, as JSON Schema says it: null, and bounds that are excluded. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) return { $ref: COMPONENTS + value.$ref };
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...from } = value as Schema;
  const to: Schema = {};
  for (const [key, entry] of Object.entries(from)) to[key] = asJsonSchema(entry);
  move(to, exclusiveMinimum, 'minimum', 'exclusiveMinimum');
  move(to, exclusiveMaximum, 'maximum', 'exclusiveMaximum');
  return nullable === true ? { anyOf: [{ type: 'null' }, to] } : to;
}

const isReference = (value: object): value is { $ref: string } =>
  '$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith('#/components/');

/** A property may be called as a keyword is; only a truth value makes it the keyword. */
function move(to: Schema, excluded: unknown, bound: string, name: string): void {
  if (excluded === true) {
    to[name] = to[bound];
    delete to[bound];
  } else if (excluded !== undefined) to[name] = asJsonSchema(excluded);
}

export function responseOf(document: OpenApi, operation: Operation, status: number): Response | undefined {
  const response = operation.responses[status];
  if (response?.$ref === undefined) return response;
  return document.components.responses[response.$ref.slice(response.$ref.lastIndexOf('/') + 1)];
}

/** An operation of a document, and its whole path below its first server. */
export type Described = { document: OpenApi; path: string; method: string; operation: Operation };

/** The path with an id in it, and with the examples of its other parameters. */
export function pathWith({ path, operation }: Pick<Described, 'path' | 'operation'>, id: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const { schema } = operation.parameters?.find((one) => one.in === 'path' && one.name === name) ?? {};
    return String(schema?.example ?? id);
  });
}

export function operationsOf(document: OpenApi): Described[] {
  return Object.entries(document.paths).flatMap(([below, { servers = document.servers, ...methods }]) => {
    const path = `${(servers[0]?.url ?? '').replace(/\/$/, '')}${below}`;
    return Object.entries(methods).map(([method, operation]) => ({
      ...{ document, path, operation },
      method: method.toUpperCase(),
    }));
  });
}

/** Null where the answer is one that the document lists for the operation, of the type and form that it says; else what is not. */
export function isAsDescribed({ document, operation, method, path }: Described, answer: Answer): string | null {
  const response = responseOf(document, operation, answer.status);
  if (response === undefined) return `${method} ${path} answered ${answer.status}, which the document does not list`;
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const media = response.content[type];
  if (media === undefined) return `${method} ${path} answered ${type}, which the document does not list`;
  const validate = compileFor(document)(media.schema);
  const body: unknown =
    type === 'application/json' || type === 'application/geo+json' ? JSON.parse(answer.text) : answer.text;
  return validate(body) ? null : `${method} ${path}: ${JSON.stringify(validate.errors?.slice(0, 3))}`;
}
