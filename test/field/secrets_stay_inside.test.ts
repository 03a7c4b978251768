import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { firstOwner, type Headers } from '../support/daemon/signed_in.ts';
import { type OpenApi, operationsOf } from '../support/http/openapi.ts';
import { PASSWORD, sending } from '../support/http/person.ts';
import { ask } from '../support/http/server.ts';
import { openStream } from '../support/http/stream_reader.ts';

onlyInFull(t);
takeTime(t, 120);

/** Every file below a folder, as its bytes stand there. */
function filesIn(folder: string): [path: string, content: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() ? [[path, readFileSync(path, 'latin1')] as [string, string]] : [];
  });
}

t.test('no secret stands in an answer it is not for, in the log or in a file of the box', async (t) => {
  const box = fieldBox(t, 'log: {level: trace}\n');
  const daemon = await box.spawn();
  const anna = await firstOwner(t, daemon);
  const south = await anna.workspace('south');
  const ben = await anna.member('ben', 'operator');
  const keys = [await anna.key('operator'), await anna.key('viewer', south.id)];
  const ticketOf = async (): Promise<string> =>
    (await anna.get<{ ticket: string }>('POST', '/v1/auth/stream-ticket')).ticket;
  const [used, unused] = [await ticketOf(), await ticketOf()];
  const stream = await openStream(t, `${daemon.url}/v1/stream?ticket=${used}`);
  const newPassword = 'never to be seen again';
  const secrets = [PASSWORD, newPassword, anna.token, ben.token, used, unused, ...keys.map(({ secret }) => secret)];

  const told: [what: string, text: string][] = [];
  const tell = async (method: string, path: string, headers: Headers, body?: unknown): Promise<void> => {
    const { status, headers: head, text } = await ask(daemon.url + path, sending(method, headers, body));
    told.push([`${method} ${path} ${status}`, `${JSON.stringify([...head])} ${text}`]);
  };
  const key = keys[0]?.secret ?? '';
  await tell('POST', '/v1/users', anna.headers(), { username: 'carl', password: newPassword, role: 'viewer' });
  await tell('POST', '/v1/users', anna.headers(), { username: newPassword, password: 1, role: 'viewer' });
  await tell('POST', '/v1/users', anna.headers(), { username: 'd', password: newPassword, role: newPassword.length });
  await tell('POST', '/v1/auth/sign-in', {}, { username: 'anna', password: newPassword });
  await tell('POST', '/v1/auth/sign-in', {}, { username: newPassword, password: newPassword });
  await tell('POST', '/v1/auth/sign-in', {}, { username: 'anna', pass: newPassword });
  await tell('GET', `/v1/tracks?key=${key}`, { authorization: `Basic ${key}` });
  await tell('GET', `/v1/tracks/${key}`, { 'x-api-key': key, 'x-workspace-id': anna.token });
  await tell('GET', `/v1/${key}`, { 'x-api-key': key });
  await tell('GET', `/v1/stream?ticket=${used}`, {});
  await tell('GET', '/v1/tracks', { 'x-api-key': `${key}x` });
  await tell('GET', '/v1/tracks', { authorization: `Bearer ${ben.token}`, 'x-workspace-id': key });
  await tell('GET', `//${key}@elsewhere/`, {});
  await tell(key, '/v1/tracks', { 'x-api-key': key }).catch(() => {});

  const document = JSON.parse((await ask(`${daemon.url}/api/openapi.json`)).text) as OpenApi;
  for (const { path, method } of operationsOf(document)) {
    if (method !== 'GET' || path === '/api/stream' || path.includes('{id}')) continue;
    await tell('GET', path.replace('/api/', '/v1/'), anna.headers());
    await tell('GET', path, { 'x-api-key': key });
  }
  for (const list of ['users', 'keys'])
    for (const { id } of await anna.get<{ id: string }[]>('GET', `/v1/${list}`))
      await tell(list === 'users' ? 'GET' : 'DELETE', `/v1/${list}/${id}`, anna.headers());
  await tell('GET', '/v1/events?limit=1000', anna.headers());
  await tell('POST', '/v1/auth/sign-out', ben.headers());
  told.push(['the stream', JSON.stringify(stream.events)]);

  const leaks = (texts: [string, string][]): string[] =>
    texts.flatMap(([what, text]) =>
      secrets
        .filter((secret) => text.includes(secret))
        .map((secret) => `${secret.slice(0, 8)}… in ${what.slice(0, 60)}`),
    );
  // An address that was sent with a secret in it is not said back whole either.
  t.same(leaks(told), [], `${told.length} answers`);
  t.same(leaks(filesIn(box.dataDir)), [], 'while it runs');
  t.equal(await daemon.end(), 0);
  const files = filesIn(box.dataDir);
  t.ok(files.length >= 2);
  t.same(leaks(files), [], `${files.length} files`);
  t.same(leaks(daemon.lines.map((line) => ['the log', JSON.stringify(line)])), [], `${daemon.lines.length} lines`);
});
