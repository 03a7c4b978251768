import { randomUUID } from 'node:crypto';
import t from 'tap';
import { sampleSignIn } from '../../src/http/openapi/access_samples.ts';
import { sampleWebhookSpec } from '../../src/http/openapi/alert_samples.ts';
import { sampleCommand, sampleTask } from '../../src/http/openapi/fleet_samples.ts';
import { sampleMap } from '../../src/http/openapi/map_samples.ts';
import { sampleOutletSpec } from '../../src/http/openapi/outlet_samples.ts';
import { sampleAsset } from '../../src/http/openapi/registry_samples.ts';
import { sampleRuleSpec } from '../../src/http/openapi/rule_samples.ts';
import { sampleRun } from '../../src/http/openapi/run_samples.ts';
import { sampleLink, sampleSensor, sampleTrack } from '../../src/http/openapi/samples.ts';
import { sampleScenarioSpec } from '../../src/http/openapi/scenario_samples.ts';
import { sampleRegionSpec, sampleZoneSpec } from '../../src/http/openapi/settings_samples.ts';
import { sampleThreat } from '../../src/http/openapi/threat_samples.ts';
import type { User } from '../../src/model/access.ts';
import { systemActor } from '../../src/model/actor.ts';
import type { Engagement } from '../../src/model/engagement.ts';
import { type OutletSpec, outletSpecSchema } from '../../src/model/outlet.ts';
import { regionSpecSchema } from '../../src/model/region.ts';
import { ruleSpecSchema } from '../../src/model/rule.ts';
import { scenarioSpecSchema } from '../../src/model/scenario.ts';
import { webhookSpecSchema } from '../../src/model/webhook.ts';
import { zoneSpecSchema } from '../../src/model/zone.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { documentRows } from '../../src/store/documents.ts';
import { credentialsSecretName, sealedRows } from '../../src/store/sealed_secrets.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { isFull } from '../support/basics/size.ts';
import { planFor, somebody } from '../support/engagement/engagement.ts';
import { receiveCopter } from '../support/fleet/received_copter.ts';
import {
  type Described,
  isAsDescribed,
  type OpenApi,
  operationsOf,
  pathWith,
  type Schema,
  takesSession,
} from '../support/http/openapi.ts';
import { type Answer, ask, type Rig, startRig } from '../support/http/server.ts';
import { worldMap } from '../support/maps/service.ts';
import { raisedIn } from '../support/registry/firings.ts';
import type { RegistryRig } from '../support/registry/registry.ts';

onlyInFull(t);

// Ten thousand requests.
takeTime(t, 300);

/** Ids that the service in memory knows, by the path that takes them. */
const samples: Record<string, string> = {
  threats: sampleThreat.track_id,
  tracks: sampleTrack.id,
  sensors: sampleSensor.id,
  links: sampleLink.id,
  evidence: sampleTrack.id,
  maps: sampleMap.id,
};
/** Things that the registry makes: one for each request, so that none meets what another left. */
const made: [path: string, make: (rig: Rig) => string][] = [
  ['/api/assets/{id}/command', (rig) => commandable(rig)],
  ['/api/tasks', (rig) => taskIn(rig)],
  ['/api/commands', (rig) => commandIn(rig)],
  ['/api/assets', ({ registry: { registry } }) => registry.assets.create({ name: 'made', spec: {} }, systemActor).id],
  [
    '/api/assignments',
    ({ registry: { registry } }) =>
      registry.assignments.confirm({ serial: randomUUID(), affiliation: 'hostile' }, systemActor).id,
  ],
  [
    '/api/catalog/entries',
    ({ registry: { registry } }) =>
      registry.catalog.create({ name: randomUUID(), kind: 'platform', spec: {} }, systemActor).id,
  ],
  // The one that is known is deleted before it comes to this.
  [
    '/api/rules/{id}',
    ({ registry: { registry } }) =>
      registry.rules.create(ruleSpecSchema.parse({ ...sampleRuleSpec, name: randomUUID() }), systemActor).id,
  ],
  ['/api/simulation/runs', ({ registry: { registry } }) => runIn(registry)],
  // The newest goes on, where one was begun; the one that is known is deleted before it comes to its file.
  ['/api/recordings/{id}/stop', ({ registry: { recordings } }) => recordings.list()[0]?.id ?? unknownId],
  ['/api/recordings/{id}/file', ({ registry: { recordings } }) => recordings.list().at(-1)?.id ?? unknownId],
  ['/api/recordings/{id}/what_if', ({ registry: { recordings } }) => recordings.list().at(-1)?.id ?? unknownId],
  ['/api/alerts', ({ registry }) => raisedIn(registry)],
  ['/api/engagement', (rig) => proposedIn(rig).id],
  [
    '/api/webhooks',
    ({ registry: { webhooks } }) =>
      webhooks.list()[0]?.id ??
      webhooks.create(webhookSpecSchema.parse({ ...sampleWebhookSpec, name: 'known' }), systemActor).id,
  ],
  ['/api/outlets/{id}/credentials', ({ registry }) => outletWithCredentials(registry)],
  ['/api/outlets', ({ registry }) => registry.outlets.list()[0]?.id ?? storedOutlet(registry)],
];
/** Where the interface names another status for a field of the wrong type than 400. */
const conflicting = new Set(['POST /api/assets/{id} spec']);
/** Lists that are paged by the real thing here, which takes no cursor but its own. */
const ownCursors = new Set(['/api/alerts', '/api/simulation/runs', '/api/webhooks/{id}/deliveries']);
const unknownId = '11111111-2222-4333-8444-555555555555';

/** A disabled outlet over TLS of an earlier run, with sealed credentials. */
function outletWithCredentials(registry: RegistryRig): string {
  const { state, workspaceId } = registry;
  const id = storedOutlet(registry, { name: randomUUID(), transport: 'tls_client', enabled: false });
  const name = credentialsSecretName('outlet', id);
  state.write('A test', () => sealedRows(state).put(workspaceId, name, Buffer.alloc(40), new Date().toISOString()));
  return id;
}

/** An outlet of an earlier run. */
function storedOutlet({ outlets, state, workspaceId }: RegistryRig, changes: object = { name: 'known' }): string {
  const [id, at] = [randomUUID(), new Date().toISOString()];
  const spec = outletSpecSchema.parse({ ...sampleOutletSpec, ...changes });
  const rows = documentRows<OutletSpec>(state, 'outlets', 'outlet');
  state.write('A test', () => rows.insert(workspaceId, { ...spec, id, version: 1, created_at: at, updated_at: at }));
  outlets.load([], (thrown) => {
    throw thrown;
  });
  return id;
}

/** What the registry of the rig holds, a row for each list that takes an id. */
function ownRows({ registry: { registry } }: Rig): Record<string, string> {
  const zones = registry.zones.create(zoneSpecSchema.parse({ ...sampleZoneSpec, name: 'known' }), systemActor).id;
  const regions = registry.regions.create(
    regionSpecSchema.parse({ ...sampleRegionSpec, name: 'known' }),
    systemActor,
  ).id;
  const rules = registry.rules.create(ruleSpecSchema.parse({ ...sampleRuleSpec, name: 'known' }), systemActor).id;
  const scenarios = registry.scenarios.create(
    scenarioSpecSchema.parse({ ...sampleScenarioSpec, name: 'known' }),
    systemActor,
  ).id;
  const holds = registry.holds.create({ since: '2025-06-01T10:00:00Z', reason: 'a test' }, systemActor).id;
  const simulation = runIn(registry);
  return { zones, regions, rules, scenarios, holds, simulation };
}

/** A run that has ended. */
function runIn(registry: Registry): string {
  const { scenario_id, scenario_name, seed, build, policy_version } = sampleRun;
  const { id } = registry.runs.add({ scenario_id, scenario_name, seed, build, policy_version }, systemActor);
  return registry.runs.update(id, { state: 'completed' }).id;
}

/** A recording that has ended. */
async function recordedIn({ registry: { recordings } }: Rig): Promise<string> {
  const { id } = await recordings.start({ name: 'known', max_bytes: 1_048_576 }, systemActor);
  await recordings.stop(id, systemActor);
  return id;
}

/** Plans about the one track that nobody has answered yet. */
function proposedIn({ registry: { engagements, field } }: Rig): Engagement {
  const by = somebody('otto');
  for (const { id, state } of engagements.open()) if (state !== 'proposed') engagements.cancel(id, {}, by);
  field.hear();
  return engagements.propose(sampleTrack.id, null, by);
}

/** An asset whose vehicle is in the air and takes commands. */
function commandable({ registry: { registry, fleet } }: Rig): string {
  if (!registry.discovery.enabled) registry.discovery.set(true, systemActor);
  const { key } = receiveCopter(fleet);
  const bound = registry.assets.list().find(({ name }) => name === 'flies');
  if (bound) return bound.id;
  const { id } = registry.assets.create({ name: 'flies', spec: {} }, systemActor);
  return registry.assets.bind(id, { key: key ?? '' }, systemActor).id;
}

/** A task that has not ended. */
function taskIn({ registry: { commands } }: Rig): string {
  const id = randomUUID();
  commands.log.putTask({ ...sampleTask, id }, systemActor);
  return id;
}

function commandIn({ registry: { commands } }: Rig): string {
  commands.log.step({ ...sampleCommand, command_id: 'c-1' }, systemActor);
  return 'c-1';
}

/** A scenario that can be played. */
function scenarioIn({ registry: { registry } }: Rig): string {
  const spec = scenarioSpecSchema.parse({ ...sampleScenarioSpec, name: randomUUID() });
  return registry.scenarios.create(spec, systemActor).id;
}

/** What names a plan that can be approved. */
function approvable(rig: Rig): object {
  const plan = planFor(proposedIn(rig), 'observe');
  return { plan_id: plan.id, hash: plan.hash };
}

type Case = Described & {
  rig: Rig;
  known: Record<string, string>;
  owner: User;
};

/** Everything in this file is driven by what is served; a route that is added is tested without a line here. */
async function served(of: { teardown(stop: () => unknown): unknown }): Promise<Case[]> {
  const rig = await startRig(of);
  const { owner, ...made } = await makeAccess(rig);
  const known = { ...samples, ...made, ...ownRows(rig), recordings: await recordedIn(rig) };
  const document = JSON.parse((await ask(`${rig.url}/api/openapi.json`)).text) as OpenApi;
  return operationsOf(document).map((one) => ({ ...one, rig, known, owner }));
}

/** Somebody who signs in as the examples do, somebody else, and a key. */
async function makeAccess({ access, registry: { workspaceId } }: Rig) {
  const by = { actor: systemActor, userId: null };
  const owner = await access.users.add(workspaceId, { ...sampleSignIn, role: 'owner' }, by);
  const other = { username: 'otto', password: 'another long password', role: 'viewer' } as const;
  const { id: users } = await access.users.add(workspaceId, other, by);
  const { id: keys } = access.keys.add(workspaceId, { name: 'feed' }, { ...by, role: 'owner' });
  return { owner, users, keys };
}

/** What an operation needs that is for people who signed in: a session of its own, since one of them ends it. */
function sessionFor({ rig, operation, owner }: Case): Record<string, string> {
  if (!takesSession(operation)) return {};
  const { token } = rig.access.sessions.open(owner.id);
  return { authorization: `Bearer ${token}`, 'x-workspace-id': rig.registry.workspaceId };
}

function idFor({ rig, path, known }: Case): string {
  const make = path.includes('{id}') ? made.find(([prefix]) => `${path}/`.startsWith(`${prefix}/`))?.[1] : undefined;
  return make?.(rig) ?? known[path.split('/')[2] ?? ''] ?? unknownId;
}

function urlOf(one: Case, id = idFor(one)): string {
  return one.rig.url + pathWith(one, id);
}

/** With the parameters that an operation cannot do without: ids of what the path is about. */
function wholeUrl(one: Case, named = ''): string {
  const needed = (one.operation.parameters ?? []).filter(({ in: place, required, name }) => {
    return place === 'query' && required && !named.startsWith(`${name}=`);
  });
  const query = needed.map(({ name, schema }) => {
    return `${name}=${schema.format === 'date-time' ? '2025-06-01T12:00:00Z' : idFor(one)}`;
  });
  const whole = [...query, ...(named === '' ? [] : [named])].join('&');
  return whole === '' ? urlOf(one) : `${urlOf(one)}?${whole}`;
}

/** The example of what an operation takes, fields of JSON or a text of another type; an asset that it names is one that there is. */
function bodyOf({ operation, rig, path, method }: Case): Record<string, unknown> | string | Buffer | undefined {
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const example = media?.example as Record<string, unknown> | string | undefined;
  if (path === '/api/maps/{name}' && method === 'PUT') return worldMap;
  if (path === '/api/sim/start') return { ...(example as object), scenario_id: scenarioIn(rig) };
  if (path === '/api/engagement/task') return { ...(example as object), ...approvable(rig) };
  if (typeof example !== 'object' || example.asset_id !== sampleAsset.id) return example;
  const { id } = rig.registry.registry.assets.create({ name: 'named', spec: {} }, systemActor);
  return { ...example, asset_id: id };
}

/** Sent as it is. */
function isWritten(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function typeOf({ operation }: Case): string {
  return Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json';
}

function send(of: Case, url: string, body?: unknown, type = typeOf(of)): Promise<Answer> {
  const session = url.includes('/v1/') ? {} : sessionFor(of);
  if (body === undefined) return ask(url, { method: of.method, headers: session });
  const text = isWritten(body) ? body : JSON.stringify(body);
  return ask(url, { method: of.method, headers: { 'content-type': type, ...session }, body: text });
}

const isStream = ({ path }: Case): boolean => path === '/api/stream';

t.test('a valid request is answered as described', async (t) => {
  for (const one of await served(t)) {
    if (isStream(one)) continue;
    const answer = await send(one, wholeUrl(one), bodyOf(one));
    t.equal(answer.status, 200, `${one.method} ${one.path} ${answer.text.slice(0, 200)}`);
    t.equal(isAsDescribed(one, answer), null);
  }
});

t.test('every value a parameter may have is taken, and one that it may not have is 400', async (t) => {
  for (const one of await served(t)) {
    if (isStream(one)) continue;
    for (const { name, in: place, required, schema } of one.operation.parameters ?? []) {
      if (place !== 'query') continue;
      const own = required || (name === 'cursor' && ownCursors.has(one.path));
      for (const value of own ? [] : goodValues(schema)) {
        const answer = await send(one, wholeUrl(one, `${name}=${encodeURIComponent(value)}`), bodyOf(one));
        t.equal(answer.status, 200, `${one.path}?${name}=${value} ${answer.text.slice(0, 100)}`);
        t.equal(isAsDescribed(one, answer), null);
      }
      for (const value of badValues(schema)) {
        const answer = await send(one, wholeUrl(one, `${name}=${encodeURIComponent(value)}`), bodyOf(one));
        t.match(answer.body, { ok: false, code: 'invalid_input' }, `${one.path}?${name}=${value.slice(0, 40)}`);
        t.match(answer.body.error, name);
        t.equal(isAsDescribed(one, answer), null);
      }
    }
    const stray = await send(one, wholeUrl(one, 'stray=1'), bodyOf(one));
    t.match(stray.body, { ok: false, code: 'invalid_input', error: /'stray'/ }, `${one.path}?stray=1`);
  }
});

function goodValues(schema: Schema): string[] {
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  if (schema.format === 'uuid') return [unknownId];
  if (schema.format === 'date-time') return ['2025-06-01T12:00:00Z', '2025-06-01T12:00:00.123+02:00'];
  if (schema.type === 'integer' || schema.type === 'number') {
    return [schema.minimum, schema.maximum].filter((bound) => bound !== undefined).map(String);
  }
  return ['1'];
}

function badValues(schema: Schema): string[] {
  if (Array.isArray(schema.enum)) {
    const all = schema.enum.map(String);
    return ['', 'neither', String(all[0]).toUpperCase()].filter((value) => !all.includes(value));
  }
  if (schema.format === 'uuid') return ['', 'x', `${unknownId}0`];
  if (schema.format === 'date-time') return ['', 'yesterday', '2025-06-01', '2025-13-01T00:00:00Z', '1748779200'];
  if (schema.type === 'integer' || schema.type === 'number') {
    const outside = [
      Number(schema.minimum ?? 0) - 1,
      ...(schema.maximum === undefined ? [] : [Number(schema.maximum) + 1]),
    ];
    return [
      '',
      'x',
      'NaN',
      'Infinity',
      '1e3',
      ' 1',
      ...outside.map(String),
      ...(schema.type === 'integer' ? ['1.5'] : []),
    ];
  }
  return ['', 'x'.repeat(Number(schema.maxLength) + 1)];
}

t.test('an id that names nothing is 404, well-formed or not', async (t) => {
  for (const one of await served(t)) {
    if (!one.path.includes('{id}')) continue;
    for (const id of [unknownId, 'x', '0', '%2e%2e', 'x'.repeat(300)]) {
      const answer = await send(one, urlOf(one, id), bodyOf(one));
      t.match(answer.body, { ok: false, code: 'not_found' }, `${one.method} ${one.path} ${id.slice(0, 40)}`);
      t.equal(isAsDescribed(one, answer), null);
    }
  }
});

t.test('a method that a path does not take is 405 and names those that it does', async (t) => {
  const cases = await served(t);
  for (const one of cases) {
    const taken = cases.filter(({ path }) => path === one.path).map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (taken.includes(method)) continue;
      const answer = await ask(urlOf(one), { method });
      t.equal(answer.status, 405, `${method} ${one.path}`);
      t.match(answer.body, { ok: false, code: 'method_not_allowed' });
      const allowed = new Set(answer.headers.get('allow')?.split(', '));
      t.ok(taken.every((name) => allowed.has(name)) && !allowed.has(method));
    }
  }
});

t.test('a body of another type is 415, and one that is too large 413', async (t) => {
  for (const one of await served(t)) {
    const body = bodyOf(one);
    if (body === undefined) continue;
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
      const answer = await send(one, urlOf(one), body, type);
      t.match(answer.body, { ok: false, code: 'unsupported_media_type' }, `${one.method} ${one.path} ${type}`);
      t.equal(isAsDescribed(one, answer), null);
    }
    const more = 'x'.repeat(5_000_000);
    const large = await send(one, urlOf(one), isWritten(body) ? body + more : { ...body, more });
    t.match(large.body, { ok: false, code: 'too_large' }, `${one.method} ${one.path}`);
    t.equal(isAsDescribed(one, large), null);
  }
});

t.test('a body with a field that is missing, wrong or unknown is 400 and the sentence names it', async (t) => {
  let missing = 0;
  let withoutBody = 0;
  for (const one of await served(t)) {
    const body = bodyOf(one);
    if (body === undefined || isWritten(body)) continue;
    const schema = resolve(one.document, one.operation.requestBody?.content['application/json']?.schema ?? {});
    for (const field of (schema.required ?? []) as string[]) {
      const { [field]: _left, ...rest } = body;
      await expectRefused(t, one, rest, field);
      missing++;
    }
    // Every wrong type of every field is for generated_bodies and mistakes; here it is one of them.
    for (const [field, rule] of Object.entries(schema.properties as Record<string, Schema>)) {
      const code = conflicting.has(`${one.method} ${one.path} ${field}`) ? 'conflict' : 'invalid_input';
      for (const value of wrongValues(resolve(one.document, rule)).slice(0, isFull ? undefined : 1))
        await expectRefused(t, one, { ...body, [field]: value }, field, code);
    }
    await expectRefused(t, one, { ...body, surely_unknown: 1 }, 'surely_unknown');
    const isNeeded = one.operation.requestBody?.required !== false;
    for (const whole of ['[]', 'null', '1', '"x"', '{', ...(isNeeded ? [''] : [])]) {
      const answer = await send(one, urlOf(one), whole);
      t.match(answer.body, { ok: false, code: 'invalid_input' }, `${one.method} ${one.path} ${whole}`);
      t.equal(isAsDescribed(one, answer), null);
    }
    if (isNeeded) continue;
    withoutBody++;
    const none = await send(one, urlOf(one), '');
    t.notMatch(String(none.body.error), /body|Content-Type/, `${one.method} ${one.path} without a body`);
    t.equal(isAsDescribed(one, none), null);
  }
  t.ok(withoutBody > 5, 'routes whose fields are all optional take an absent body as {}');
  t.ok(missing > 0);
});

type Checks = Pick<typeof t, 'match' | 'equal'>;

async function expectRefused(
  of: Checks,
  one: Case,
  body: unknown,
  field: string,
  code = 'invalid_input',
): Promise<void> {
  const answer = await send(one, urlOf(one), body);
  of.match(answer.body, { ok: false, code }, `${one.method} ${one.path} ${JSON.stringify(body).slice(0, 120)}`);
  of.match(answer.body.error, code === 'invalid_input' ? new RegExp(`'${field}`) : field);
  of.equal(isAsDescribed(one, answer), null);
}

function resolve(document: OpenApi, schema: Schema): Schema {
  const inner = Array.isArray(schema.oneOf) ? { ...(schema.oneOf[0] as Schema), nullable: true } : schema;
  if (typeof inner.$ref !== 'string') return inner;
  const name = inner.$ref.slice(inner.$ref.lastIndexOf('/') + 1);
  return { ...document.components.schemas[name], ...(inner.nullable === true ? { nullable: true } : {}) };
}

/** Values of each type that is not the field's own; a field that takes anything has none. */
function wrongValues(schema: Schema): unknown[] {
  if (!['type', 'oneOf', 'anyOf', 'enum'].some((key) => key in schema)) return [];
  const values: Record<string, unknown> = { string: 'x', number: 1.5, boolean: true, object: {}, array: [] };
  const own = schema.type === 'integer' ? 'number' : String(schema.type);
  const wrong = Object.entries(values).flatMap(([type, value]) => (type === own ? [] : [value]));
  if (schema.type === 'integer') wrong.push(1.5);
  if (Array.isArray(schema.enum)) wrong.push('surely not one of them');
  if (schema.nullable !== true) wrong.push(null);
  return wrong;
}

t.test('the other mount answers every operation with 401 and tells nothing', async (t) => {
  for (const one of await served(t)) {
    if (!one.path.startsWith('/api') || one.path === '/api/auth/sign-in') continue;
    const answer = await send(one, urlOf(one).replace('/api', '/v1'), bodyOf(one));
    t.equal(answer.status, 401, `${one.method} ${one.path}`);
    t.match(answer.body, { ok: false, code: 'unauthenticated' });
    t.equal(isAsDescribed(one, answer), null);
  }
});

t.test('HEAD and OPTIONS answer wherever GET does', async (t) => {
  for (const one of await served(t)) {
    if (one.method !== 'GET') continue;
    const head = await ask(wholeUrl(one), { method: 'HEAD', headers: sessionFor(one) });
    t.equal(head.status, 200, one.path);
    t.equal(head.text, '');
    const options = await ask(urlOf(one), { method: 'OPTIONS' });
    t.equal(options.status, 204);
    t.match(options.headers.get('allow'), /GET/);
  }
});
