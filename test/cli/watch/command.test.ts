import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { watchCommand } from '../../../src/cli/watch/command.ts';
import { follow, type Notice } from '../../../src/cli/watch/follow.ts';
import { samplePicture } from '../../../src/http/openapi/samples.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { takeTime, until } from '../../support/basics/patience.ts';
import { startDaemon } from '../../support/daemon/daemon.ts';
import { mainScript, plainNode, runToEnd } from '../../support/daemon/program.ts';

takeTime(t, 180);

type Served = { url: URL; asked: IncomingMessage[] };

/** A server whose answers to the n-th request are given. */
async function served(t: Test, answers: ((answer: ServerResponse) => void)[]): Promise<Served> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, answer) => {
    const give = answers[Math.min(asked.push(request), answers.length) - 1];
    give?.(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), asked };
}

const stream = (answer: ServerResponse): ServerResponse =>
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (id: number, kind: string, body: unknown): string =>
  `id: e1:${id}\nevent: ${kind}\ndata: ${JSON.stringify({ seq: id, at: '2026-06-01T10:00:00.000Z', body })}\n\n`;
const snapshot = event(1, 'snapshot', samplePicture);

const quick = { staleMs: () => 40, deadMs: 200, retryMs: (attempt: number) => 5 * (attempt + 1) };
const place = (url: URL) => ({ url, key: null, ca: null, world: null });

async function noticesUntil(url: URL, isEnough: (notices: Notice[]) => boolean): Promise<Notice[]> {
  const stop = new AbortController();
  const notices: Notice[] = [];
  for await (const notice of follow(place(url), stop.signal, quick)) {
    notices.push(notice);
    if (isEnough(notices)) stop.abort();
  }
  return notices;
}

t.test('a stream that breaks is opened again behind its last event, and says so', async (t) => {
  const { url, asked } = await served(t, [
    (answer) => void stream(answer).end(snapshot),
    (answer) => void answer.writeHead(503).end('{"error":"it starts"}'),
    (answer) => void answer.destroy(),
    (answer) => void stream(answer).write(event(2, 'resume', { from: 'e1:1' })),
  ]);
  const notices = await noticesUntil(url, (all) =>
    all.some((one) => one.what === 'event' && one.event.kind === 'resume'),
  );
  t.same(
    notices.map(({ what }) => what),
    ['connected', 'event', 'lost', 'lost', 'lost', 'connected', 'event'],
  );
  t.match(
    notices.filter(({ what }) => what === 'lost'),
    [
      { cause: 'the daemon ended the stream' },
      { cause: /answers 503: it starts/ },
      { cause: /reset the connection|failed/, retryMs: 15 },
    ],
  );
  t.equal(asked.at(-1)?.url, '/api/stream?last_event_id=e1%3A1');
});

t.test('silence is told as stale, and a dead connection is opened again', async (t) => {
  const { url } = await served(t, [(answer) => void stream(answer).write(snapshot)]);
  const notices = await noticesUntil(url, (all) => all.filter(({ what }) => what === 'connected').length === 2);
  const [first, ...more] = notices.filter(({ what }) => what === 'stale');
  t.match(first, { silentS: 0.04 });
  t.ok(more.length >= 2, 'again after each further limit');
  t.match(
    notices.find(({ what }) => what === 'lost'),
    { cause: /nothing was received for 0\.2 s/ },
  );
});

async function run(argv: string[], io: { outIsTty?: boolean; signal?: AbortSignal } = {}) {
  const said = { code: -1, out: [] as string[], err: [] as string[] };
  const into = { out: (text: string) => void said.out.push(text), err: (text: string) => void said.err.push(text) };
  said.code = await watchCommand(argv, { ...into, isTty: false, signal: new AbortController().signal, ...io });
  return said;
}

t.test('names of strangers are escaped, on a terminal and as JSON', async (t) => {
  const [first] = samplePicture.tracks;
  const evil = '\x1b]0;owned\x07\x1b[2J\u202e';
  const identities = [{ ...first?.identities[0], type: 'serial', value: evil }];
  const sensors = samplePicture.sensors.map((sensor) => ({ ...sensor, name: evil }));
  const picture = { ...samplePicture, tracks: [{ ...first, state: 'confirmed', identities }], sensors };
  const { url } = await served(t, [(answer) => void stream(answer).write(event(1, 'snapshot', picture))]);
  const lines = await run(['--url', url.href, '--once'], { outIsTty: true });
  const text = lines.out.join('\n');
  t.match(text, /\\u\{1b\}\]0;owned/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of lines are the only controls.
  t.notMatch(text.replace(/\x1b\[[\d;]*m/g, ''), /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  const json = await run(['--url', url.href, '--once', '--json']);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there.
  t.notMatch(json.out.join(''), /[\x00-\x1f\x7f-\x9f\u202e]/);
  t.match(JSON.parse(json.out.at(-1) ?? ''), { kind: 'snapshot', body: { seq: samplePicture.seq } });
});

t.test('colour is for a terminal that wants it', async (t) => {
  const { url } = await served(t, [(answer) => void stream(answer).write(snapshot)]);
  t.match((await run(['--url', url.href, '--once'], { outIsTty: true })).out.join(''), '\x1b[');
  t.notMatch((await run(['--url', url.href, '--once'], { outIsTty: false })).out.join(''), '\x1b[');
  process.env.NO_COLOR = '1';
  t.teardown(() => delete process.env.NO_COLOR);
  t.notMatch((await run(['--url', url.href, '--once'], { outIsTty: true })).out.join(''), '\x1b[');
});

t.test('what cannot get better ends the watch with 1 and a sentence', async (t) => {
  const cases: [(answer: ServerResponse) => void, RegExp][] = [
    [(answer) => void answer.writeHead(401).end('{"error":"a key is needed"}'), /refuses the stream: a key is needed/],
    [
      (answer) => void answer.writeHead(200, { 'content-type': 'text/html' }).end('hi'),
      /serves no stream \(200\): check that the address is that of a Dunlin/,
    ],
    [(answer) => void answer.writeHead(404).end(), /serves no stream \(404\)/],
  ];
  for (const [give, said] of cases) {
    const { url } = await served(t, [give]);
    t.match(await run(['--url', url.href]), { code: 1, err: [said] });
  }
  const { url } = await served(t, [(answer) => void answer.destroy()]);
  t.match(await run(['--url', url.href, '--once']), { code: 1, err: [/reset the connection|failed/] });
});

t.test('a key goes into its header and comes from a file', async (t) => {
  const { url, asked } = await served(t, [(answer) => void stream(answer).write(snapshot)]);
  const file = join(folderOf(t, { key: 'dk_secret\n' }), 'key');
  t.equal((await run(['--url', url.href, '--once', '--key-file', file, '--live'])).code, 0);
  t.equal(asked[0]?.headers['x-api-key'], 'dk_secret');
  t.equal(asked[0]?.url, '/api/stream?world=live');
  writeFileSync(file, 'two words');
  t.match(await run(['--url', url.href, '--once', '--key-file', file]), {
    code: 1,
    err: [/does not contain an API key/],
  });
  t.match(await run(['--url', url.href, '--once', '--key-file', `${file}.none`]), { code: 1, err: [/cannot read/] });
});

t.test('wrong use is 2 and help is 0', async (t) => {
  t.match(await run(['--url', 'ftp://x']), { code: 2, err: [/--url must be http/, /Usage: dunlin watch/] });
  t.match(await run(['--url', 'nothing']), { code: 2 });
  t.match(await run(['now']), { code: 2, err: [/unexpected argument 'now'/, /Usage/] });
  t.match(await run(['--server', 'http://x:1']), { code: 2, err: [/did you mean --url http:\/\/x:1\?/, /Usage/] });
  t.match(await run(['--help']), { code: 0, out: [/^Usage: dunlin watch/] });
});

t.test(
  'a running daemon is watched: sensor, track, threat, alert and acknowledgement are lines, and Ctrl-C ends it',
  async (t) => {
    const daemon = await startDaemon(t);
    const [command = process.execPath, ...prefix] = plainNode;
    const child = spawn(command, [...prefix, mainScript, 'watch', '--url', daemon.url], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const shows = (pattern: RegExp): Promise<unknown> =>
      until(async () => pattern.test(out), `${pattern} is a line`, 60_000);
    await shows(/SENSOR {3}no sensor is known/);
    await daemon.post('/api/sensors', { name: 'tower', modality: 'human' });
    const geometry = { type: 'Point', coordinates: [8.73, 47.2], radius_m: 400 };
    await daemon.post('/api/zones', { name: 'apron', kind: 'protected', geometry, ceiling_m: 150 });
    for (let n = 0; n < 5; n++) {
      const position = { lat: 47.2, lon: 8.73 + n * 1e-5, alt_hae_m: 560 };
      const identity = [{ type: 'serial', value: '1581F5FKD22940099999', transport: 'other' }];
      await daemon.post('/api/ingest/obs', { obs: [{ sensor_id: 'tower', report: 'position', position, identity }] });
      if (n === 1) await shows(/TRACK .*T-0001 1581F5FKD22940099999: unknown, confirmed/);
    }
    await shows(/SENSOR {3}tower is operational/);
    await shows(/THREAT {3}T-0001 1581F5FKD22940099999: (medium|high|critical), \d+ points/);
    await shows(/ALERT {4}(warning|critical): .*T-0001.*apron/);
    const [alert] = await daemon.get<{ id: string }[]>('/api/alerts');
    await daemon.post(`/api/alerts/${alert?.id}/acknowledge`, {});
    await shows(/ALERT .*acknowledged by /);
    t.notMatch(out, '\x1b', 'plain in a pipe');
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    t.same((await ended)[0], 0);
    t.notMatch(out, 'STREAM   lost');
    const none = await runToEnd(t, ['watch', '--once', '--url', 'http://127.0.0.1:9']);
    t.match(none, { code: 1, err: /refused the connection: nothing listens there/ });
  },
);
