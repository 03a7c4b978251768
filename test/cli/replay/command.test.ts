import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type ReplayIo, replayCommand } from '../../../src/cli/replay/command.ts';
import { fixturePath } from '../../support/links/line_feeding.ts';

type Run = { code: number; out: string[]; err: string[]; drawn: string[] };

async function run(argv: string[], io: Partial<ReplayIo> = {}): Promise<Run> {
  const result: Run = { code: -1, out: [], err: [], drawn: [] };
  result.code = await replayCommand(argv, {
    out: (text) => result.out.push(text),
    err: (text) => result.err.push(text),
    draw: (text) => result.drawn.push(text),
    isTty: false,
    ...io,
  });
  return result;
}

async function listener(t: Tap): Promise<{ to: string; socket: Socket }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { to: `udp://127.0.0.1:${socket.address().port}`, socket };
}
type Tap = Pick<typeof t, 'teardown'>;

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
t.teardown(() => rmSync(folder, { recursive: true }));

t.test('a file is played whole, and in a pipe only the pace and the summary are said', async (t) => {
  const { to, socket } = await listener(t);
  const got: string[] = [];
  const all = new Promise<void>((resolve) => {
    socket.on('message', (message) => got.push(message.toString('latin1')) === 12 && resolve());
  });
  const path = fixturePath('basestation.txt');
  const { code, out, err, drawn } = await run([path, '--to', to, '--rate', 'max']);
  await all;
  t.equal(code, 0);
  t.match(out, [/^sent 12 frames \(\d+ bytes\) of basestation.txt to udp:\/\/127.0.0.1:\d+ in \d+\.\d s$/]);
  t.equal(out.length, 1);
  t.match(err, [/^note: played as fast as the target accepts, clocks and speeds look wrong/]);
  t.equal(err.length, 1);
  t.same(drawn, []);
  t.match(got[1], /^MSG,1,.*\r\n$/);
});

t.test('on a terminal one line is redrawn, and taken away at the end', async (t) => {
  const { to } = await listener(t);
  const { drawn } = await run([fixturePath('basestation.txt'), '--to', to, '--rate', '1000'], { isTty: true });
  t.match(drawn[0], /^\r1 frames, 00:00:00, \d+ % of the file/);
  t.equal(drawn.at(-1), '\r\x1b[K');
  t.notOk(drawn.some((text) => text.includes('\n')));
});

t.test('damage is told, with the line, and the rest is played', async (t) => {
  const { to } = await listener(t);
  const path = join(folder, 'damaged.jsonl');
  const bad = Array(30).fill('{"t": 1, "hex": "0"}').join('\n');
  writeFileSync(path, `{"t": 1, "hex": "00"}\n${bad}\n{"t": 1, "hex": "01"}\n`);
  const { code, out, err } = await run([path, '--to', to]);
  t.equal(code, 0);
  t.match(out[0], /^sent 2 frames .*; 30 parts of the file left out$/);
  t.equal(err.length, 10);
  t.equal(err[0], `${path}: line 2 has an odd number of digits in "hex"`);
  t.match(err[9], /further problems are counted, but not printed/);
});

t.test('wrong use answers 2 and names what is wrong', async (t) => {
  const wrong: [string[], RegExp][] = [
    [[], /name the capture file/],
    [['a', 'b'], /'b' is the second one/],
    [['a', '--rate', 'fast'], /--rate must be a number/],
    [['a', '--rate', '0'], /--rate must be a number/],
    [['a', '--baud', '12'], /--baud must be a number/],
    [['a', '--format', 'pdf'], /--format must be one of recording, hex, tlog/],
    [['a', '--to', 'nowhere'], /--to must be udp/],
    [['a', '--speed', '1'], /Unknown option '--speed'/],
  ];
  for (const [argv, sentence] of wrong) {
    const { code, err, out } = await run(argv);
    t.equal(code, 2, argv.join(' '));
    t.match(err[0], sentence);
    t.same(out, []);
  }
});

t.test('help is what was asked for', async (t) => {
  const { code, out, err } = await run(['--help']);
  t.equal(code, 0);
  t.match(out[0], /^Usage: dunlin replay FILE/);
  t.same(err, []);
});

t.test('what cannot be read or sent answers 1 with one sentence', async (t) => {
  const { to } = await listener(t);
  const absent = await run([join(folder, 'absent'), '--to', to]);
  t.equal(absent.code, 1);
  t.match(absent.err, [/^dunlin replay: there is no file /]);
  const path = join(folder, 'blank.jsonl');
  writeFileSync(path, '\n\n');
  t.match(await run([path, '--to', to, '--loop']), { code: 1, err: [/contains no frame/] });
  t.match(await run([path, '--to', 'udp://no-such-host.invalid:5']), {
    code: 1,
    err: [/cannot resolve the host name/],
  });
});

t.test('a loop goes on until it is stopped, and a stop is clean', async (t) => {
  const { to, socket } = await listener(t);
  const stop = new AbortController();
  let count = 0;
  socket.on('message', () => ++count === 30 && stop.abort());
  const { code, out } = await run([fixturePath('basestation.txt'), '--to', to, '--rate', '100', '--loop'], {
    signal: stop.signal,
  });
  t.equal(code, 0);
  t.match(out[0], /^stopped after \d+ frames/);
  t.ok(count >= 30, 'more than the 12 frames of one pass');
});

t.test('SIGINT stops it, and leaves no handler behind', async (t) => {
  const { to, socket } = await listener(t);
  const before = process.listenerCount('SIGINT');
  socket.once('message', () => process.kill(process.pid, 'SIGINT'));
  const path = join(folder, 'slow.jsonl');
  writeFileSync(path, '{"t": 0, "hex": "00"}\n{"t": 3600, "hex": "01"}\n');
  const { code, out } = await run([path, '--to', to]);
  t.equal(code, 0);
  t.match(out[0], /^stopped after 1 frames/);
  t.equal(process.listenerCount('SIGINT'), before);
});

t.test('a changed pace is said to make clocks and speeds look wrong, the own pace is not', async (t) => {
  const { to } = await listener(t);
  const path = join(folder, 'two.jsonl');
  writeFileSync(path, '{"t": 0, "hex": "00"}\n{"t": 0.01, "hex": "01"}\n');
  for (const [rate, said] of [
    [
      '4',
      [
        /^note: played at 4 times the pace of the capture, clocks and speeds .*: it may refuse reports and mark tracks as suspect/,
      ],
    ],
    ['0.5', [/^note: played at 0.5 times/]],
    ['1', []],
  ] as const) {
    const { code, err } = await run([path, '--to', to, '--rate', rate]);
    t.equal(code, 0);
    t.match(err, said);
    t.equal(err.length, said.length);
  }
});

t.test('a target where nobody listens is named, at once and by the exit code', async (t) => {
  const { to, socket } = await listener(t);
  const path = join(folder, 'three.jsonl');
  writeFileSync(path, [0, 0.01, 0.02, 0.03].map((at) => `{"t": ${at}, "hex": "0${at * 100}"}\n`).join(''));
  const closed = createSocket('udp4');
  closed.bind(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address();
  await new Promise<void>((resolve) => closed.close(resolve));
  const nobody = await run([path, '--to', `udp://127.0.0.1:${port}`]);
  t.match(nobody, {
    code: 1,
    err: [/^warning: no program listens at udp:.*--link name=…,transport=udp,address=127\.0\.0\.1:\d+,protocol=…/],
    out: [/^sent 4 frames .*; at the end, no program listened at the target$/],
  });
  t.equal(nobody.err.length, 1, 'said once');
  // A daemon that starts while the replay runs gets the rest.
  const later = createSocket('udp4');
  t.teardown(() => later.close());
  const got: string[] = [];
  later.on('message', (bytes) => got.push(bytes.toString('hex')));
  const slow = join(folder, 'slow_start.jsonl');
  writeFileSync(
    slow,
    '{"t": 0, "hex": "00"}\n{"t": 0.2, "hex": "01"}\n{"t": 1.2, "hex": "02"}\n{"t": 1.3, "hex": "03"}\n',
  );
  const playing = run([slow, '--to', `udp://127.0.0.1:${port}`], { err: () => later.bind(port, '127.0.0.1') });
  t.match(await playing, { code: 0, out: [/^sent 4 frames/] });
  t.same(got.slice(-2), ['02', '03']);
  const heard: Buffer[] = [];
  socket.on('message', (bytes) => heard.push(bytes));
  t.match(await run([path, '--to', to]), { code: 0, err: [] });
  t.match(await run([path, '--to', `tcp://127.0.0.1:${port}`]), {
    code: 1,
    err: [/no program listens at tcp:.*tcp_server/],
  });
});

t.test('a file without frames is refused with a sentence', async (t) => {
  const { to, socket } = await listener(t);
  let datagrams = 0;
  socket.on('message', () => datagrams++);
  const path = join(folder, 'none');
  const refused = /contains no frame in a known format: it is no .*capture.*--format/;
  for (const text of [
    'a letter to a friend\nof two lines\n',
    '{"t": 1, "frame": "00"}\n{"t": 2, "frame": "01"}\n',
    '<html><body>404</body></html>\n',
    'deadbeef\n',
    '\x00\x01\x02\x03',
  ]) {
    writeFileSync(path, text);
    t.match(await run([path, '--to', to]), { code: 1, out: [], err: [refused] }, JSON.stringify(text));
  }
  t.equal(datagrams, 0);
  writeFileSync(path, 'a letter\n');
  t.equal((await run([path, '--to', to, '--format', 'lines'])).code, 0, 'unless it is named');
});
