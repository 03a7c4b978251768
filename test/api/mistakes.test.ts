import { mkdirSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { type Described, type OpenApi, operationsOf, pathWith, takesSession } from '../support/http/openapi.ts';
import { keyOf, type Person, person, workspace } from '../support/http/person.ts';
import { type Answer, ask, type Envelope, type Rig, startRig } from '../support/http/server.ts';
import { bodyMistakes, queryMistakes } from './mistakes.ts';

takeTime(t, 300);

/** Answers to mistakes, for people to read: the mistake and its sentence. */
const read: string[] = [];
const readFile = 'build/test-results/mistakes.txt';
const readCount = 50;

/** Bodies whose rows are judged one by one, so that good ones count; and the field that conflicts instead. */
const judgedByRow = (one: Described): boolean => Object.keys(one.operation.requestBody?.content ?? {}).length > 1;
const conflicting = new Set(['POST /api/assets/{id} spec']);
const unknownId = '11111111-2222-4333-8444-555555555555';

async function served(of: { teardown(stop: () => unknown): unknown }) {
  const rig = await startRig(of);
  const owner = await person(rig, 'anna', 'owner');
  const document = JSON.parse((await ask(`${rig.url}/api/openapi.json`)).text) as OpenApi;
  return { rig, owner, operations: operationsOf(document) };
}

function urlOf({ url }: Rig, path: string, of?: Described): string {
  return url + (of === undefined ? path.replaceAll(/\{\w+\}/g, unknownId) : pathWith(of, unknownId));
}

/** Why an answer does not help whoever sent the mistake; null where it does. */
function judge({ status, body }: Answer, path: string, allowed: readonly string[]): string | null {
  const { error = '', faults = [] } = body;
  if (status !== 400) return `status ${status}`;
  const fault = faults.find((one) => one.path === path) ?? faults.find((one) => one.path.startsWith(`${path}[`));
  if (fault === undefined) return `no fault of ${path}`;
  const unnamed = allowed.filter((value) => !fault.text.includes(value));
  if (unnamed.length > 0) return `does not name ${unnamed}`;
  return isClear(fault.text, path) ?? (error.startsWith(faults[0]?.text ?? '?') ? null : 'the error is not the first');
}

/** A sentence names its field, says what it must be or that it is unknown, and has nothing of the program in it. */
function isClear(text: string, path: string): string | null {
  if (!text.includes(`'${path}`)) return 'does not name the field';
  if (/undefined|\[object|NaN|ZodError|regex|expected/i.test(text)) return 'speaks of the program';
  return /must|not a (known field|parameter)|is missing|needs|has /.test(text) ? null : 'says no rule';
}

t.test('a field that is absent, wrong or unknown is named, with the rule', async (t) => {
  const { rig, owner, operations } = await served(t);
  let asked = 0;
  for (const one of operations) {
    if (judgedByRow(one)) continue;
    const { method, path, operation } = one;
    const headers = { 'content-type': 'application/json', ...(takesSession(operation) ? owner.headers : {}) };
    for (const { what, path: at, body, allowed } of bodyMistakes(one)) {
      if (conflicting.has(`${method} ${path} ${at}`)) continue;
      const answer = await ask(urlOf(rig, path), { method, headers, body: JSON.stringify(body) });
      note(`${method} ${path}: ${what}`, answer);
      t.equal(judge(answer, at, allowed), null, `${method} ${path}: ${what}: ${answer.text.slice(0, 300)}`);
      asked++;
    }
  }
  t.ok(asked > 500, `${asked} mistakes`);
});

t.test('a parameter that is wrong is named, with the rule', async (t) => {
  const { rig, owner, operations } = await served(t);
  for (const one of operations) {
    const { method, path, operation } = one;
    const headers = takesSession(operation) ? owner.headers : {};
    for (const { what, path: at, value, allowed } of queryMistakes(one)) {
      // The ticket is a credential, refused before any parameter is read.
      if (at === 'ticket') continue;
      const answer = await ask(`${urlOf(rig, path, one)}?${at}=${encodeURIComponent(value)}`, { method, headers });
      note(`${method} ${path}: ${what}`, answer);
      t.equal(judge(answer, at, allowed), null, `${method} ${path}: ${what}: ${answer.text.slice(0, 300)}`);
    }
  }
});

t.test('every fault of a request is in one answer', async (t) => {
  const { rig } = await served(t);
  const body = { modality: 'sonar', placement: { lat: 91, lon: 'x' }, surely: 1, unknown: 2 };
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(`${rig.url}/api/sensors`, { method: 'POST', headers, body: JSON.stringify(body) });
  const paths = answer.body.faults?.map(({ path }) => path).toSorted();
  t.same(paths, ['modality', 'name', 'placement.lat', 'placement.lon', 'surely', 'unknown']);
  t.match(answer.body.error, / \(and 5 more faults\)$/);
  const query = await ask(`${rig.url}/api/events?limit=x&severity=loud&stray=1&stray=2&kind=a&kind=b`);
  t.same(
    query.body.faults?.map(({ path }) => path).toSorted(),
    ['kind', 'kind', 'limit', 'severity', 'stray', 'stray'],
    query.text,
  );
});

t.test('a credential that is wrong is answered with the remedy', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: [] } });
  const anna = await person(rig, 'anna', 'owner');
  const other = await workspace(rig, 'north');
  for (const [what, { path, headers, remedy, status }] of Object.entries(await wrongCredentials(rig, anna, other))) {
    const answer = await ask(rig.url + path, { headers });
    note(`GET ${path}: ${what}`, answer);
    t.equal(answer.status, status, `${what}: ${answer.text}`);
    t.match(answer.body.error, remedy, what);
  }
});

type Wrong = { path: string; headers: Record<string, string>; remedy: RegExp; status: number };

async function wrongCredentials(rig: Rig, { token, headers }: Person, other: string): Promise<Record<string, Wrong>> {
  const { secret } = keyOf(rig);
  const revoked = keyOf({ ...rig });
  rig.access.keys.revoke(rig.registry.workspaceId, revoked.id, { actor: actorOf('anna'), userId: null });
  const { ticket } = rig.access.issueTicket(rig.access.identify({ type: 'key', text: secret }, asked));
  const of = (path: string, sent: Record<string, string>, remedy: RegExp, status = 401): Wrong => ({
    ...{ path, remedy, status },
    headers: sent,
  });
  return {
    'no credential': of('/v1/tracks', {}, /X-Api-Key.*auth\/sign-in/),
    'no credential from outside': of('/api/tracks', {}, /X-Api-Key.*auth\/sign-in/),
    'a key as a bearer token': of('/v1/tracks', { authorization: `Bearer ${secret}` }, /X-Api-Key/),
    'a token as a key': of('/v1/tracks', { 'x-api-key': token }, /Authorization: Bearer/),
    'a password': of('/v1/tracks', { authorization: 'Basic YW5uYTp4' }, /Bearer.*X-Api-Key/),
    'a key that was never issued': of('/v1/tracks', { 'x-api-key': `${secret}x` }, /X-Api-Key|POST \/api\/keys/),
    'a revoked key': of('/v1/tracks', { 'x-api-key': revoked.secret }, /POST \/api\/keys/),
    'a token that was never issued': of('/v1/tracks', { authorization: `Bearer ${token}x` }, /auth\/sign-in/),
    'a key and a token': of('/v1/tracks', { ...headers, 'x-api-key': secret }, /not both/, 400),
    'a ticket as a key': of('/v1/tracks', { 'x-api-key': ticket }, /stream\?ticket=|accepted only for a stream/),
    'a ticket as a token': of('/v1/tracks', { authorization: `Bearer ${ticket}` }, /accepted only for a stream/),
    'a ticket for another route': of(`/v1/tracks?ticket=${ticket}`, {}, /accepted only for a stream/),
    'a ticket that was never issued': of('/v1/stream?ticket=stk_x', {}, /auth\/stream-ticket/),
    'no workspace': of(
      '/v1/tracks',
      { authorization: headers.authorization ?? '' },
      /X-Workspace-Id.*GET \/api\/me/,
      400,
    ),
    'a workspace of others': of(
      '/v1/tracks',
      { ...headers, 'x-workspace-id': other },
      /not a member.*GET \/api\/me/,
      403,
    ),
    'a key of another workspace': of(
      '/v1/tracks',
      { 'x-api-key': secret, 'x-workspace-id': other },
      /X-Workspace-Id/,
      403,
    ),
    'a key where a person is needed': of('/v1/users', { 'x-api-key': secret }, /POST \/api\/auth\/sign-in/, 403),
  };
}

const asked = { address: '127.0.0.1', workspaceId: null, needsWorkspace: true };
const actorOf = (name: string) => ({ type: 'user', id: name, name, address: null }) as const;

t.test('a method that a route does not have is answered with those that it has', async (t) => {
  const { rig, operations } = await served(t);
  for (const { path } of operations) {
    const taken = operations.filter((one) => one.path === path).map(({ method }) => method);
    const wrong = ['POST', 'DELETE', 'PUT', 'PATCH', 'GET'].find((method) => !taken.includes(method)) ?? '';
    const answer = await ask(urlOf(rig, path), { method: wrong });
    note(`${wrong} ${path}`, answer);
    t.equal(answer.status, 405);
    for (const method of taken) t.ok(answer.body.error?.includes(method), `${wrong} ${path}: ${answer.text}`);
  }
});

t.test('a route that is misspelt is answered with the one that was meant', async (t) => {
  const { rig, operations } = await served(t);
  for (const { method, path } of operations) {
    for (const wrong of misspelt(path)) {
      const answer = await ask(urlOf(rig, wrong), { method });
      // A misspelt last part may be an id for a shorter route.
      if (answer.status !== 404 || !answer.body.error?.startsWith('there is no route')) continue;
      note(`${method} ${wrong}`, answer);
      t.ok(answer.body.error?.includes(path) || isAsNear(answer.body, wrong, path), `${wrong}: ${answer.text}`);
    }
  }
  const away = await ask(`${rig.url}/api/surely-nothing-of-the-kind-is-here`);
  t.match(away.body.error, /GET \/api\/openapi\.json/);
  t.match((await ask(`${rig.url}/tracks`)).body.error, /GET \/api\/tracks/, 'the mount was left out');
});

/** Without a letter, with two letters changed about, and without the mount. */
function misspelt(path: string): string[] {
  if (path.length < 8) return [];
  const at = path.replace(/\/?\{id\}.*$/, '').length - 2;
  const swapped = path.slice(0, at - 1) + path[at] + path[at - 1] + path.slice(at + 1);
  return [path.slice(0, at) + path.slice(at + 1), swapped, path.replace('/api/', '/')].filter((one) => one !== path);
}

/** Another route is named that is no further away, such as `/api/v` beside `/api/w`. */
function isAsNear({ error = '' }: Envelope, wrong: string, path: string): boolean {
  const named = /the most similar route is [A-Z, ]+ (\S+)$/.exec(error)?.[1] ?? '';
  return named !== '' && Math.abs(named.length - wrong.length) <= Math.abs(path.length - wrong.length) + 1;
}

function note(mistake: string, { status, body }: Answer): void {
  read.push(`${mistake}\n    ${status} ${body.error}`);
}

t.teardown(() => {
  mkdirSync('build/test-results', { recursive: true });
  // One of each shape of sentence, then others at equal steps.
  const shapes = new Map(read.map((each) => [each.replace(/^.*\n/, '').replace(/'[^']*'|[\d/]\S*/g, ''), each]));
  const step = Math.ceil(read.length / readCount);
  const some = new Set([...shapes.values(), ...read.filter((_, at) => at % step === 0)]);
  writeFileSync(readFile, `${[...some].join('\n')}\n`);
});
