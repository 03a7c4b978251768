import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { z } from 'zod';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import { schemaOf } from '../../src/http/openapi/schema.ts';
import { errorsOf } from '../../src/http/route.ts';
import { table } from '../../src/http/table.ts';
import { eventBodies } from '../../src/model/event.ts';
import { faultCodes } from '../../src/model/fault.ts';
import { compileFor, type OpenApi, operationsOf } from '../support/http/openapi.ts';
import { ask, startRig } from '../support/http/server.ts';

async function servedDocument(of: {
  teardown(stop: () => unknown): unknown;
}): Promise<{ text: string; document: OpenApi }> {
  const rig = await startRig(of);
  const { text } = await ask(`${rig.url}/api/openapi.json`);
  return { text, document: JSON.parse(text) };
}

t.test('the document is OpenAPI 3.0.3 to a validator', async (t) => {
  const { document } = await servedDocument(t);
  t.equal(document.openapi, '3.0.3');
  t.equal(document.info.version, '0.1.0');
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  t.ok(valid, JSON.stringify(errors));
});

t.test('both mounts are servers of it, and each way to show a credential is a scheme', async (t) => {
  const { document } = await servedDocument(t);
  t.same(
    document.servers.map(({ url }) => url),
    ['/api', '/v1'],
  );
  const { securitySchemes } = document.components;
  t.match(securitySchemes, {
    key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    session: { type: 'http', scheme: 'bearer' },
    ticket: { type: 'apiKey', in: 'query', name: 'ticket' },
  });
  const ways = (path: string, method: string): string[] =>
    (document.paths[path]?.[method]?.security ?? document.security).flatMap((way) => Object.keys(way));
  t.same(ways('/tracks', 'get'), ['key', 'session']);
  t.same(ways('/stream', 'get'), ['key', 'session', 'ticket']);
  t.same(ways('/keys', 'post'), ['session']);
});

t.test('the summary of each operation is a verb and its object', async (t) => {
  const { document } = await servedDocument(t);
  for (const { operation, method, path } of operationsOf(document)) {
    t.match(operation.summary, /^[A-Z][a-z-]+ \S/, `${method} ${path}`);
    t.notMatch(operation.summary, /^(All|One|The|What|Who|Which|Where|How|A|Every) /, `${method} ${path}`);
  }
});

t.test('a linter finds no error and gives no warning', async (t) => {
  const { text } = await servedDocument(t);
  const folder = await mkdtemp(join(tmpdir(), 'dunlin-openapi-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  await writeFile(file, text);
  const args = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    '--config',
    'test/redocly.yaml',
    '--format',
    'json',
    file,
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((failed) => failed);
  const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  t.same(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems));
});

t.test('every route is in it, with every failure it can answer and an example of each', async (t) => {
  const { document } = await servedDocument(t);
  const routes = [
    ...table.rooted.map((of) => ({ of, path: of.path })),
    ...table.mounted.map((of) => ({ of, path: `/api${of.path}` })),
  ];
  const operations = new Map(operationsOf(document).map((one) => [`${one.method} ${one.path}`, one.operation]));
  t.same([...operations.keys()].sort(), routes.map(({ of, path }) => `${of.method} ${path}`).sort());
  for (const { of, path } of routes) {
    const operation = operations.get(`${of.method} ${path}`);
    for (const code of errorsOf(of)) {
      const answer = operation?.responses[faultCodes[code]];
      t.match(answer?.$ref, /^#\/components\/responses\/\w+$/, `${of.method} ${path} ${code}`);
    }
  }
  for (const [code, response] of Object.entries(document.components.responses)) {
    t.match(response.content['application/json']?.example, { ok: false, code, error: String });
  }
});

t.test('every example is what its schema says', async (t) => {
  const { document } = await servedDocument(t);
  const compile = compileFor(document);
  let checked = 0;
  const check = (name: string, media: { schema?: unknown; example?: unknown }): void => {
    if (media.example === undefined) return;
    const validate = compile(media.schema);
    t.ok(validate(media.example), `${name}: ${JSON.stringify(validate.errors)}`);
    checked++;
  };
  for (const { method, path, operation } of operationsOf(document)) {
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const answers = Object.entries(operation.responses['200']?.content ?? {});
    for (const [type, media] of [...bodies, ...answers]) check(`${method} ${path} ${type}`, media);
  }
  for (const [code, { content }] of Object.entries(document.components.responses)) {
    for (const media of Object.values(content)) check(code, media);
  }
  t.ok(checked > 30, `${checked} examples`);
});

t.test('the document accepts and refuses what validation does at the edges', async (t) => {
  const { document } = await servedDocument(t);
  const compile = compileFor(document);
  const track = compile({ $ref: '#/components/schemas/Track' });
  const data = sampleTrack;
  t.ok(track(data));
  t.ok(track({ ...data, position: null, velocity: null, uncertainty: null, status: null }), 'what is unknown is null');
  t.notOk(track({ ...data, state: null }));
  t.notOk(track({ ...data, velocity: { speed_mps: 1, course_deg: 360, climb_mps: null } }), 'north is 0, not 360');
  t.notOk(track({ ...data, id: 'x' }));
  t.notOk(track({ ...data, more: 1 }));
  t.notOk(track({ ...data, updated_at: 'noon' }));
});

t.test('two different schemas cannot share a name', async (t) => {
  const found = new Map([['OneName', { type: 'string' }]]);
  const schema = z.strictObject({ a: z.string() }).meta({ id: 'OneName' });
  t.throws(() => schemaOf(schema, 'output', found), /two different schemas called OneName/);
});

t.test('the stream has a schema for each kind that can be sent, and for no other', async (t) => {
  const rig = await startRig(t);
  const { body } = await ask(`${rig.url}/api/stream/schema.json`);
  const schema = body as unknown as { $schema: string; properties: Record<string, { properties: object }> };
  t.match(schema.$schema, /2020-12/);
  const { tick, ...kinds } = schema.properties;
  t.same(Object.keys(tick?.properties ?? {}), ['seq', 'at', 'box_at', 'trust']);
  t.same(Object.keys(kinds), Object.keys(eventBodies));
  for (const [kind, data] of Object.entries(kinds)) t.same(Object.keys(data.properties), ['seq', 'at', 'body'], kind);
});
