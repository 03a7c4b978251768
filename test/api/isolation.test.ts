import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Link } from '../../src/model/link.ts';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { isFull } from '../support/basics/size.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { firstOwner, type Headers, type Member } from '../support/daemon/signed_in.ts';
import { type Described, type OpenApi, operationsOf, pathWith, takesSession } from '../support/http/openapi.ts';
import { sending } from '../support/http/person.ts';
import { ask } from '../support/http/server.ts';
import { openStream } from '../support/http/stream_reader.ts';
import { type Full, fillWorkspace } from './full_workspace.ts';

onlyInFull(t);
takeTime(t, 300);

const daemon = await startDaemon(t);
const evidence = folderOf(t);
const anna = await firstOwner(t, daemon);
const first = (await anna.get<{ workspaces: { id: string }[] }>('GET', '/v1/me')).workspaces[0]?.id ?? '';
const second = (await anna.workspace('second')).id;
const dora = await anna.member('dora', 'owner', first);
const carla = await anna.member('carla', 'owner', second);
const fill = (id: string, marker: string, owner: typeof dora): Promise<Full> =>
  fillWorkspace(t, { id, marker, owner, url: daemon.url });
const north = await fill(first, 'of-the-north', dora);
const south = await fill(second, 'of-the-south', carla);

const document = JSON.parse((await ask(`${daemon.url}/api/openapi.json`)).text) as OpenApi;
const all = operationsOf(document).filter(({ path }) => path !== '/api/stream');
const reads = all.filter(({ method }) => method === 'GET');
/** Whole lists: what needs an id, in its path or its query, is asked for by one. */
const isList = ({ path, operation }: Described): boolean =>
  !path.includes('{id}') &&
  !(operation.parameters ?? []).some(({ in: place, required }) => place === 'query' && required);
const lists = reads.filter((one) => one.path.startsWith('/api/') && isList(one));
/** The same for everybody, with ids in their examples. */
const documents = new Set(['/api/openapi.json', '/api/stream/schema.json']);

type Got = { status: number; text: string };

/** An archive as what is in it. */
async function get(path: string, headers: Headers, method = 'GET', body?: unknown): Promise<Got> {
  const init = typeof body === 'string' ? { method, headers, body } : sending(method, headers, body);
  const response = await fetch(daemon.url + path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.headers.get('content-type') !== 'application/zip')
    return { status: response.status, text: String(bytes) };
  const file = join(evidence, 'evidence.zip');
  writeFileSync(file, bytes);
  return { status: response.status, text: spawnSync('unzip', ['-p', file], { encoding: 'utf8' }).stdout };
}

const idPattern = /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|wsp_\w+)/g;

/** Health answers 503 once the sensors of the test have been silent for longer than their deadlines. */
const isAnswer = (path: string, status: number): boolean =>
  status === 200 || (path === '/api/health' && status === 503);

/** The ids of everything that a workspace shows to its owner. */
async function idsOf({ owner, id }: Full): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { path } of lists) {
    if (documents.has(path)) continue;
    const { status, text } = await get(path, owner.headers(id));
    if (!isAnswer(path, status)) throw new Error(`${path}: ${status} ${text}`);
    for (const [found] of text.matchAll(idPattern)) ids.add(found);
  }
  return ids;
}

const ids = { north: await idsOf(north), south: await idsOf(south) };
const shared = [...ids.north].filter((id) => ids.south.has(id));
const foreignTo = {
  north: [...ids.south].filter((id) => !ids.north.has(id)),
  south: [...ids.north].filter((id) => !ids.south.has(id)),
};
const sides = [
  { name: 'north', own: north, other: south, ownIds: ids.north, foreign: foreignTo.north },
  { name: 'south', own: south, other: north, ownIds: ids.south, foreign: foreignTo.south },
] as const;
type Side = (typeof sides)[number];

/** What stands in a text that is of the other workspace. */
function leaked({ foreign, other }: Side, text: string): string[] {
  const found = foreign.filter((id) => text.includes(id));
  return text.includes(other.marker) ? [...found, other.marker] : found;
}

const waysOf = ({ own }: Side): [string, Headers][] => [
  ['by a session', own.owner.headers(own.id)],
  ['by a key', { 'x-api-key': own.key }],
];

/** The query strings that an operation takes one value of an enum in. */
function variantsOf({ operation }: Described): string[] {
  const values = (operation.parameters ?? []).flatMap(({ in: place, name, schema }) =>
    place === 'query' && Array.isArray(schema.enum) ? schema.enum.map((value) => `?${name}=${value}`) : [],
  );
  return ['', ...values];
}

function bodyOf({ operation }: Described): { type: string; body: unknown } {
  const [[type, media] = ['', undefined]] = Object.entries(operation.requestBody?.content ?? {});
  return { type, body: media?.example };
}

function asking(one: Described, headers: Headers): [Headers, string, unknown] {
  const { type, body } = bodyOf(one);
  return [type === '' ? headers : { ...headers, 'content-type': type }, one.method, body];
}

t.test(
  'the workspaces have nothing in common but what comes with the program, and people, whose sign-ins stand in the log of the box',
  async (t) => {
    const idOf = async (who: Member) => (await who.get<{ user: { id: string } }>('GET', '/v1/me')).user.id;
    const scenarios = await anna.get<{ id: string; builtin: boolean }[]>('GET', '/v1/scenarios');
    const builtin = scenarios.filter((one) => one.builtin).map(({ id }) => id);
    const known = [await idOf(anna), await idOf(carla), ...builtin];
    t.same(
      shared.filter((id) => !known.includes(id)),
      [],
    );
    for (const { foreign } of sides) t.ok(foreign.length > 15, `${foreign.length} ids`);
  },
);

t.test('no list of one shows anything of the other, in any form', async (t) => {
  for (const side of sides) {
    for (const [way, headers] of waysOf(side)) {
      for (const one of reads.filter(isList)) {
        for (const query of variantsOf(one)) {
          const { status, text } = await get(one.path + query, headers);
          const isRefused =
            one.path === '/metrics' ? side.name === 'south' : takesSession(one.operation) && way === 'by a key';
          const isRight = isRefused ? status === 403 : isAnswer(one.path, status);
          t.ok(isRight, `${side.name} ${way}: ${one.path}${query} ${status} ${text.slice(0, 100)}`);
          t.same(leaked(side, text), [], `${side.name} ${way}: ${one.path}${query}`);
        }
      }
    }
  }
});

t.test('what a workspace shows of each of its own things is of itself alone', async (t) => {
  let shown = 0;
  for (const side of sides) {
    for (const [turn, one] of reads.filter(({ path }) => path.includes('{id}')).entries()) {
      // With --full of both; the code that answers is the same for each workspace.
      if (!isFull && side !== sides[turn % sides.length]) continue;
      for (const id of side.ownIds) {
        for (const query of variantsOf(one)) {
          const { status, text } = await get(pathWith(one, id) + query, side.own.owner.headers(side.own.id));
          if (status === 404) break;
          t.equal(status, 200, `${one.path} ${text.slice(0, 200)}`);
          t.same(leaked(side, text), [], `${one.path}${query}`);
          shown++;
        }
      }
    }
  }
  t.ok(shown > 20, `${shown} things were shown`);
});

/** Foreign ids that one operation is asked with: another part of them for each, so that all are asked; all with --full. */
function askedOf({ foreign }: Side, turn: number): readonly string[] {
  return isFull ? foreign : foreign.filter((_, index) => index % 8 === turn % 8);
}

t.test('an id of the other is not found, whatever is asked of it, and nothing of it changes', async (t) => {
  for (const side of sides) {
    const before = await idsOf(side.other);
    for (const [turn, one] of all.filter(({ path }) => path.includes('{id}')).entries()) {
      for (const [way, headers] of waysOf(side)) {
        if (takesSession(one.operation) && way === 'by a key') continue;
        for (const id of askedOf(side, turn)) {
          const { status, text } = await get(pathWith(one, id), ...asking(one, headers));
          if (status !== 404) t.fail(`${one.method} ${one.path} ${id}: ${status} ${text.slice(0, 200)}`);
          const told = leaked(side, text).filter((found) => found !== id);
          if (told.length > 0) t.fail(`${one.method} ${one.path} tells ${told}`);
        }
      }
    }
    const after = await idsOf(side.other);
    t.same(
      [...before].filter((id) => !after.has(id)),
      [],
      'all of it is still there',
    );
  }
});

t.test('an id of the other names nothing in a query or a body either', async (t) => {
  for (const side of sides) {
    const { headers } = { headers: side.own.owner.headers(side.own.id) };
    const named = reads
      .filter(isList)
      .flatMap(({ path, operation }) =>
        (operation.parameters ?? []).flatMap(({ name, in: place, schema }) =>
          place === 'query' && (schema.format === 'uuid' || name === 'subject') ? [`${path}?${name}=`] : [],
        ),
      );
    t.ok(named.length >= 3);
    for (const query of named)
      for (const id of side.foreign.filter((found) => !found.startsWith('wsp_'))) {
        const { status, text } = await get(query + id, headers);
        if (status !== 200 || text !== '{"ok":true,"data":[]}')
          t.fail(`${query}${id}: ${status} ${text.slice(0, 200)}`);
        const compared = await get(`/v1/simulation/runs/compare?a=${id}&b=${id}`, headers);
        if (compared.status !== 404) t.fail(`compared ${id}: ${compared.text.slice(0, 200)}`);
      }
    const rowsOf = async (path: string) =>
      side.other.owner.get<{ id: string }[]>('GET', path, undefined, side.other.id);
    const [asset] = await rowsOf('/v1/assets');
    const [track] = await rowsOf('/v1/tracks');
    const [sensor] = await rowsOf('/v1/sensors');
    const [mine] = await side.own.owner.get<{ id: string }[]>('GET', '/v1/tracks', undefined, side.own.id);
    const post = async (path: string, body: unknown): Promise<Got> => get(path, headers, 'POST', body);
    const link = { name: 'stolen', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' };
    t.equal((await post('/v1/assignments', { asset_id: asset?.id, affiliation: 'friend' })).status, 404);
    t.equal((await post('/v1/links', { ...link, issued_for: asset?.id })).status, 404);
    t.equal((await post(`/v1/tracks/${mine?.id}/merge`, { into: track?.id })).status, 404);
    const obs = { obs: [{ sensor_id: sensor?.id, report: 'identity' }] };
    t.match((await post('/v1/ingest/obs', obs)).text, /"accepted":0.*"rejected":\[{"index":0/);
    const carried = { spec: {}, placement: { carried_by: asset?.id, mount: 'carried' } };
    const [own] = await side.own.owner.get<{ id: string }[]>('GET', '/v1/assets', undefined, side.own.id);
    t.equal((await post(`/v1/assets/${own?.id}`, carried)).status, 409);
  }
});

t.test('a port that the other listens on is told of without its name', async (t) => {
  const link = { name: `link ${north.marker}`, transport: 'tcp_server', address: '127.0.0.1:0', protocol: 'mavlink' };
  const { id } = await dora.get<Link>('POST', '/v1/links', link);
  const address = await until(async () => (await dora.get<Link>('GET', `/v1/links/${id}`)).bound_to, 'it is open');
  const { status, text } = await get('/v1/links', carla.headers(), 'POST', { ...link, name: 'mine', address });
  t.equal(status, 409, text);
  t.match(text, /in use by a link of another workspace/);
  t.notMatch(text, north.marker);
  const metrics = await get('/metrics', dora.session());
  t.match(metrics, { status: 200, text: north.marker }, 'and so are the metrics of the box');
  t.equal((await get('/metrics', carla.session())).status, 403);
});

t.test('with a key or a session of one, the other is refused everywhere', async (t) => {
  for (const side of sides) {
    const elsewhere = { 'x-workspace-id': side.other.id };
    for (const one of all.filter(({ path }) => path.startsWith('/api/'))) {
      const path = pathWith(one, side.foreign[0] ?? '').replace('/api/', '/v1/');
      const keyed = await get(path, ...asking(one, { 'x-api-key': side.own.key, ...elsewhere }));
      t.equal(keyed.status, 403, `${side.name} ${one.method} ${path}: ${keyed.text.slice(0, 100)}`);
      t.same(leaked(side, keyed.text), []);
      // Signing out is of no workspace, and would end the session of all that follows.
      if (path === '/v1/auth/sign-out') continue;
      const session = { ...side.own.owner.headers(side.own.id), ...elsewhere };
      const seen = await get(path, ...asking(one, session));
      t.equal(seen.status, 403, `${side.name} ${one.method} ${path}: ${seen.text.slice(0, 100)}`);
      t.match(seen.text, /not_a_member/);
    }
  }
  for (const { path } of lists) {
    const open = await get(path, { 'x-workspace-id': second });
    t.equal(open.status, 403, `open: ${path}`);
  }
});

t.test('streams and tickets of one never carry what happens in the other', async (t) => {
  const ticketOf = async ({ own }: Side): Promise<string> =>
    (await own.owner.get<{ ticket: string }>('POST', '/v1/auth/stream-ticket', undefined, own.id)).ticket;
  const streams = new Map<Side, Awaited<ReturnType<typeof openStream>>>();
  for (const side of sides) {
    const crossed = await get(`/v1/stream?ticket=${await ticketOf(side)}`, { 'x-workspace-id': side.other.id });
    t.equal(crossed.status, 403, crossed.text);
    streams.set(side, await openStream(t, `${daemon.url}/v1/stream?ticket=${await ticketOf(side)}`));
  }
  for (const { own } of sides) {
    const body = { name: 'Last', spec: { notes: `last ${own.marker}` } };
    const { id } = await own.owner.get<{ id: string }>('POST', '/v1/assets', body, own.id);
    await own.owner.get('DELETE', `/v1/assets/${id}`, undefined, own.id);
  }
  const now = { north: await idsOf(north), south: await idsOf(south) };
  for (const [side, stream] of streams) {
    await stream.first('its own last change', ({ kind }) => kind === 'asset_removed');
    const text = JSON.stringify(stream.events);
    const others = side.name === 'north' ? now.south : now.north;
    const own = side.name === 'north' ? now.north : now.south;
    t.same(
      [...others].filter((id) => !own.has(id) && text.includes(id)),
      [],
      `${side.name}: ${stream.events.length} events`,
    );
    t.notMatch(text, side.other.marker);
    t.ok(text.includes(`last ${side.own.marker}`));
  }
});

t.test('the log of the box is shown in its first workspace alone', async (t) => {
  const events = async ({ own }: Side): Promise<string> =>
    (await get('/v1/events?limit=1000', own.owner.headers(own.id))).text;
  const [inFirst, inSecond] = [await events(sides[0]), await events(sides[1])];
  t.match(inFirst, 'auth.signed_in');
  t.notMatch(inSecond, 'auth.signed_in');
});

t.test('nor does a played world of another workspace show it', async (t) => {
  const { owner, id } = south;
  const [scenario] = await owner.get<{ id: string }[]>('GET', '/v1/scenarios', undefined, id);
  await owner.get('POST', '/v1/sim/start', { scenario_id: scenario?.id }, id);
  const { ticket } = await owner.get<{ ticket: string }>('POST', '/v1/auth/stream-ticket', undefined, id);
  const stream = await openStream(t, `${daemon.url}/v1/stream?ticket=${ticket}`);
  await stream.first('the played world', ({ kind }) => kind === 'snapshot');
  const level = await get('/v1/log-level', dora.headers(first), 'PUT', { level: 'info' });
  t.equal(level.status, 200, level.text);
  await owner.get('POST', '/v1/sim/pause', undefined, id);
  await stream.first('the pause, which came later', ({ body }) => (body as { run?: string }).run === 'paused');
  t.notMatch(JSON.stringify(stream.events), 'log.level');
  await owner.get('POST', '/v1/sim/stop', undefined, id);
});
