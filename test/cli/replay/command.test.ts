import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type ReplayIo, replayCommand } from '../../../src/cli/replay/command.ts';
import { fixturePath } from '../../support/line_feeding.ts';

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

t.test('a file is played whole, and in a pipe only the summary is said', async (t) => {
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
  t.same([err, drawn], [[], []]);
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
  t.match(err[9], /more such are counted, not shown/);
});

t.test('wrong use answers 2 and names what is wrong', async (t) => {
  const wrong: [string[], RegExp][] = [
    [[], /name the capture file/],
    [['a', 'b'], /'b' is one too many/],
    [['a', '--rate', 'fast'], /--rate is a number/],
    [['a', '--rate', '0'], /--rate is a number/],
    [['a', '--baud', '12'], /--baud is a number/],
    [['a', '--format', 'pcap'], /--format is one of recording, hex, tlog/],
    [['a', '--to', 'nowhere'], /a target is udp/],
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
  t.match(await run([path, '--to', to, '--loop']), { code: 1, err: [/holds no frame/] });
  t.match(await run([path, '--to', 'udp://no-such-host.invalid:5']), { code: 1, err: [/cannot find the host/] });
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
