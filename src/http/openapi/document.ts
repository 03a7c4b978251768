import { z } from 'zod';
import { type EventKind, eventBodies, eventDataSchema, tickSchema } from '../../model/event.ts';
import { type FaultCode, faultCodes } from '../../model/fault.ts';
import { operatorHeader } from '../operator_header.ts';
import { errorsOf, type FileShape, type Route, tags, takesNothing } from '../route.ts';
import { table } from '../table.ts';
import { interfaceVersion } from '../version.ts';
import { failureOf } from './failures.ts';
import { type Components, type JsonSchema, schemaOf, tidy } from './schema.ts';

const about = `The HTTP interface of Dunlin, a counter-UAS (drone detection) command and control service.

The same routes are served below \`/api\` and \`/v1\`. Requests to \`/api\` from the trusted networks of the configuration
need no credential. All other requests need an API key, or the token of a session together with the header
\`X-Workspace-Id\`. With a token, only \`me\`, \`auth/*\` and \`workspaces\` work without this header. Paths with their own server are
served at the root.

Answers are in an envelope, \`{ok: true, data}\` or \`{ok: false, error, code}\`, except files, streams and documents.
A 400 also has \`faults\`, one for each field that is missing, wrong or unknown. Names are lower_snake and end in their unit; times are RFC 3339; an unknown value is null.
Parameters and body fields that are not described here are refused with 400.`;

/** Builds the OpenAPI 3.0.3 document from the route table and from the schemas that validate requests. */
export function makeOpenApi(): JsonSchema {
  const found: Components = new Map();
  const paths: Record<string, JsonSchema> = {};
  const add = (of: Route, servers: JsonSchema): void => {
    paths[of.path] = { ...servers, ...paths[of.path], [of.method.toLowerCase()]: operationOf(of, found) };
  };
  for (const of of table.rooted) add(of, { servers: [root] });
  for (const of of table.mounted) add(of, {});
  return {
    openapi: '3.0.3',
    info: {
      title: 'Dunlin',
      version: interfaceVersion,
      description: about,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: table.mounts.map((url) => ({ url, description: serverTexts[url] })),
    security: credentials,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      responses: Object.fromEntries(usedCodes().map((code) => [code, failureOf(code)])),
      schemas: Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)).concat([['Failure', failureSchema]])),
    },
  };
}

const root: JsonSchema = { url: '/', description: 'the root: banner, metrics, documentation' };

const serverTexts: Record<string, string> = {
  '/api': 'open to the trusted networks; other networks need a credential',
  '/v1': 'always needs a credential',
};

/** Ways to authenticate. The empty entry means none: the trusted networks need no credential on `/api`. */
const credentials: JsonSchema[] = [{}, { key: [] }, { session: [] }];

const securitySchemes: JsonSchema = {
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'An API key, which begins with dak_; it names its workspace.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    description: "A session's token, which begins with dst_; the header X-Workspace-Id names the workspace.",
  },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'A ticket of `auth/stream-ticket`, which begins with stk_: opens one stream, within a minute.',
  },
};

const failureSchema: JsonSchema = {
  type: 'object',
  description: 'Reason of a refused request',
  properties: {
    ok: { type: 'boolean', enum: [false] },
    error: { type: 'string', description: 'sentence that names the failure and its reason' },
    code: { type: 'string', enum: Object.keys(faultCodes) },
    faults: {
      type: 'array',
      description: 'all faults of a 400, at most 100; `error` has the first and the number of the others',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'field or parameter, such as placement.lat; empty for the whole body' },
          text: { type: 'string', description: 'sentence that names the field and its rule' },
        },
        required: ['path', 'text'],
        additionalProperties: false,
      },
    },
  },
  required: ['ok', 'error', 'code'],
  additionalProperties: false,
};

function usedCodes(): FaultCode[] {
  return [...new Set([...table.rooted, ...table.mounted].flatMap(errorsOf))].sort();
}

function operationOf(of: Route, found: Components): JsonSchema {
  const responses: JsonSchema = { 200: successOf(of, found) };
  for (const [status, description] of Object.entries(of.answer.empty ?? {})) responses[status] = { description };
  for (const code of errorsOf(of)) responses[faultCodes[code]] ??= { $ref: `#/components/responses/${code}` };
  return {
    operationId: operationId(of),
    summary: of.summary,
    ...(of.description === undefined ? {} : { description: of.description }),
    tags: [of.tag],
    'x-role': of.role,
    'x-write': of.write,
    ...securityOf(of),
    ...parametersOf(of, found),
    ...bodyOf(of, found),
    responses,
  };
}

function securityOf({ session, ticket }: Route): JsonSchema {
  if (session) return { security: [{ session: [] }] };
  return ticket ? { security: [...credentials, { ticket: [] }] } : {};
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[^a-z0-9]+/i).filter((word) => word !== '');
  return [method.toLowerCase(), ...(words.length === 0 ? ['banner'] : words)].join('_');
}

const operatorParameter: JsonSchema = {
  ...{ name: operatorHeader, in: 'header', required: false, schema: { type: 'string' }, example: 'Anna%20Berg' },
  description:
    'Name of the operator who acts without a sign-in: the log and the marks of people show this name beside the ' +
    'address. Percent-encoded UTF-8, at most 120 characters; ignored if the request has a credential.',
};

function parametersOf(of: Route, found: Components): JsonSchema {
  const parameters: JsonSchema[] = [];
  for (const place of ['path', 'query'] as const) {
    const shape = (place === 'path' ? of.params : of.query)?.shape ?? {};
    for (const [name, field] of Object.entries(shape)) {
      const required = place === 'path' || !z.safeParse(field, undefined).success;
      const { description = place === 'path' ? 'id of the object, as in its list' : name, ...schema } = schemaOf(
        field,
        'input',
        found,
      );
      parameters.push({ name, in: place, required, description, schema });
    }
  }
  if (of.write && !of.session) parameters.push(operatorParameter);
  return parameters.length === 0 ? {} : { parameters };
}

function bodyOf(of: Route, found: Components): JsonSchema {
  if (of.body === undefined) return {};
  const { schema, lines, text, bytes, files = {} } = of.body;
  const example = exampleOf(of.body.example);
  if (bytes !== undefined) {
    const binary = { schema: { type: 'string', format: 'binary' } };
    return { requestBody: { required: true, content: Object.fromEntries(bytes.map((type) => [type, binary])) } };
  }
  if (text !== undefined) {
    const content: JsonSchema = { [text.type]: { schema: schemaOf(schema, 'input', found), example } };
    // The media type `also` has no schema, because the handler reads the body as text.
    if (text.also !== undefined) content[text.also] = { schema: {} };
    return { requestBody: { required: true, content } };
  }
  const content: JsonSchema = { 'application/json': { schema: schemaOf(schema, 'input', found), example } };
  if (lines !== undefined) {
    const item = schemaOf(lines, 'input', found);
    content['application/x-ndjson'] = { schema: { type: 'string', description: `one ${item.$ref ?? 'row'} a line` } };
  }
  for (const [type, shape] of Object.entries(files)) content[type] = fileOf(shape);
  const isNeeded = lines !== undefined || !takesNothing(schema);
  return { requestBody: { required: isNeeded, content } };
}

function successOf(of: Route, found: Components): JsonSchema {
  const { answer } = of;
  const content: JsonSchema = {};
  if (answer.data !== undefined) {
    content['application/json'] = {
      schema: {
        type: 'object',
        properties: { ok: { type: 'boolean', enum: [true] }, data: schemaOf(answer.data, 'output', found) },
        required: ['ok', 'data'],
        additionalProperties: false,
      },
      example: { ok: true, data: exampleOf(answer.example) },
    };
  }
  for (const [type, shape] of Object.entries(answer.files ?? {}))
    content[type.split(';', 1)[0] ?? type] = fileOf(shape);
  const headers = answer.paged
    ? { headers: { 'X-Next-Cursor': { description: 'absent on the last page', schema: { type: 'string' } } } }
    : {};
  return { description: answer.text, ...headers, content };
}

/**
 * Returns an example. Some examples take milliseconds to make, so a function makes them when the document is first
 * requested.
 */
function exampleOf(example: unknown): unknown {
  return typeof example === 'function' ? example() : example;
}

function fileOf(shape: FileShape): JsonSchema {
  const example = shape.example === undefined ? {} : { example: exampleOf(shape.example) };
  return { schema: shape.schema ?? { type: 'string' }, ...example };
}

/**
 * Builds a JSON Schema (2020-12) with one property for each kind of event. The property describes the `data:` line of
 * that kind.
 */
export function makeStreamSchema(): JsonSchema {
  const kinds = Object.keys(eventBodies) as EventKind[];
  const whole = z.strictObject({
    ...Object.fromEntries(kinds.map((kind) => [kind, eventDataSchema(kind)])),
    tick: tickSchema,
  });
  const { required: _required, ...schema } = tidy(z.toJSONSchema(whole)) as JsonSchema;
  return { title: 'Events of the stream', description: 'Data of each event kind, by kind', ...schema };
}
