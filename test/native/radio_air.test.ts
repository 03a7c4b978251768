import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { until } from '../support/basics/deadline.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { beacon, nanFrame, radiotap } from '../support/links/packets.ts';
import { noAir, RadioAir } from '../support/links/radio_air.ts';
import { RadioClient } from '../support/links/radio_client.ts';
import { builtNative } from '../support/references/built_native.ts';
import { emulator } from '../support/references/emulator.ts';

takeTime(t, 120);
const apart = { skip: emulator.length > 0 ? 'an emulator has no packet sockets' : noAir() };
const mac = '60:60:1f:10:01:2d';
const pack = Buffer.alloc(28, 7);

type Radio = { path: string; child: ChildProcess; errors: () => string; pid: number };

/** The program, once it listens beside the interface. */
async function start(t: Test, air: RadioAir): Promise<Radio> {
  const path = join(folderOf(t), 'radio.sock');
  const program = await builtNative('radio_program', ['-O2']);
  const [command, words] = air.beside(program, air.name, '--no-tune', '--listen', path);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  await until('the program listens', () => existsSync(path) || child.exitCode !== null);
  return { path, child, errors: () => text, pid: child.pid ?? 0 };
}

/** A frame of any kind with the mark of an aircraft behind its header. */
function marked(kind: number): Buffer {
  const frame = beacon(mac, kind, pack);
  frame[0] = kind;
  return radiotap(frame);
}

t.test('frames of aircraft arrive at the client as a capture, other frames are only counted', apart, async (t) => {
  const air = await RadioAir.open(t);
  const { path, errors } = await start(t, air);
  const client = new RadioClient(t, path);
  await client.until(() => client.linkTypes.length > 0);
  t.same(client.linkTypes, [127]);

  const neighbour = beacon('02:00:00:00:00:01', 1, pack);
  neighbour.write('00000000', neighbour.indexOf('fa0bbc0d', 0, 'hex'), 'hex');
  const own = [radiotap(beacon(mac, 1, pack)), radiotap(nanFrame(mac, 2, pack)), marked(0x50)];
  await air.send(radiotap(neighbour), ...own, radiotap(neighbour, { isBroken: true }));
  await client.until(() => client.heard === 5);
  t.same(client.packets, own);
  t.match(client.counts.at(-1), { received: 5, dropped: 0, comment: { freq_mhz: 2437 } });
  t.equal(
    client.counts.reduce((sum, { comment }) => sum + (comment.bad_fcs ?? 0), 0),
    1,
  );
  t.equal(errors(), '');
});

t.test('the kernel passes beacons, probe responses and action frames alone', apart, async (t) => {
  const air = await RadioAir.open(t);
  const { path } = await start(t, air);
  const client = new RadioClient(t, path);
  await client.until(() => client.linkTypes.length > 0);
  // Probe request, disassociation, acknowledgement, data, QoS data, and a frame that is too short for its header.
  await air.send(...[0x40, 0xa0, 0xd4, 0x08, 0x88].map(marked), Buffer.alloc(14), marked(0x80), marked(0x50));
  await client.until(() => client.heard > 0);
  t.equal(client.packets.length, 2);
  t.equal(client.counts.at(-1)?.received, 2);
});

t.test('the program keeps no capability and may gain none', apart, async (t) => {
  const air = await RadioAir.open(t);
  const { path, pid } = await start(t, air);
  const client = new RadioClient(t, path);
  await client.until(() => client.linkTypes.length > 0);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const value = (key: string) => new RegExp(`^${key}:\\s+(\\S+)$`, 'm').exec(status)?.[1];
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) t.equal(value(set), '0000000000000000', set);
  t.equal(value('NoNewPrivs'), '1');
});

t.test('an adapter that is pulled out ends the program with exit code 1', apart, async (t) => {
  const air = await RadioAir.open(t);
  const { path, child, errors } = await start(t, air);
  const client = new RadioClient(t, path);
  await client.until(() => client.linkTypes.length > 0);
  const exited = once(child, 'exit');
  await air.remove();
  t.same(await exited, [1, null]);
  t.match(errors(), /air0 is gone or was set down/);
});

t.test('a client that never reads loses records, and the next one gets what comes', apart, async (t) => {
  const air = await RadioAir.open(t);
  const { path, pid } = await start(t, air);
  const idle = new RadioClient(t, path);
  await idle.until(() => idle.linkTypes.length > 0);
  idle.socket.pause();
  const frame = radiotap(beacon(mac, 1, Buffer.alloc(200, 7)));
  const many = Array.from({ length: 500 }, () => frame);
  for (let round = 0; round < 8; round++) await air.send(...many);
  idle.socket.resume();
  await idle.until(() => (idle.counts.at(-1)?.received ?? 0) === 4_000);
  const { dropped = 0 } = idle.counts.at(-1) ?? {};
  t.ok(dropped > 0, `${dropped} of 4000 lost`);
  t.equal(idle.packets.length + dropped, 4_000);

  idle.socket.destroy();
  const next = new RadioClient(t, path);
  await next.until(() => next.linkTypes.length > 0);
  await air.send(frame);
  await next.until(() => next.packets.length === 1);
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  t.ok(rssKb <= 8_192, `${rssKb} kB`);
});

t.test('a client of another user is refused, a second one turned away', apart, async (t) => {
  const air = await RadioAir.open(t);
  const { path, errors } = await start(t, air);
  const first = new RadioClient(t, path);
  await first.until(() => first.linkTypes.length > 0);
  const second = new RadioClient(t, path);
  await t.rejects(
    second.until(() => second.linkTypes.length > 0),
    /has ended/,
  );
  first.socket.destroy();
  chmodSync(path, 0o666);
  chmodSync(join(path, '..'), 0o755);
  const stranger = `import os, socket, sys; os.chdir(sys.argv[1]); os.setgroups([]); os.setuid(65534)
s = socket.socket(socket.AF_UNIX); s.connect('radio.sock'); print(len(s.recv(100)))`;
  const child = spawn('python3', ['-c', stranger, join(path, '..')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  t.same(await once(child, 'close'), [0, null]);
  t.equal(said, '0\n');
  t.match(errors(), /another user was refused/);
});

t.test('an interface that is not in monitor mode is refused', apart, async (t) => {
  const air = await RadioAir.open(t, 1);
  const { child, errors } = await start(t, air);
  if (child.exitCode === null) await once(child, 'exit');
  t.equal(child.exitCode, 1);
  t.match(errors(), /air0 gives frames of type 1, not 803 \(radiotap\): it is not in monitor mode/);
});

/** The ids of the processes that a process has started, and of whom each is still there. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** Reader and tuner on an interface, with a played nl80211. */
async function startHopper(t: Test) {
  const air = await RadioAir.open(t);
  const path = join(folderOf(t), 'radio.sock');
  const [command, words] = air.beside(await builtNative('radio_hopper', ['-O1']), air.name, path);
  const reader = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  t.teardown(() => reader.kill('SIGKILL'));
  const exited = once(reader, 'exit');
  const client = await until('the program listens', () => existsSync(path)).then(() => new RadioClient(t, path));
  await client.until(() => [2437, 5745].every((mhz) => client.counts.some(({ comment }) => comment.freq_mhz === mhz)));
  // The kernel is played by the first child, the tuner is the second.
  const tuner = childrenOf(reader.pid ?? 0).at(-1) ?? 0;
  // A tuner that stays would hold the output of the tests open.
  t.teardown(() => isAlive(tuner) && process.kill(tuner, 'SIGKILL'));
  return { reader, tuner, exited, client };
}

t.test('a reader that is killed takes its tuner along', apart, async (t) => {
  const { reader, tuner, exited } = await startHopper(t);
  t.ok(isAlive(tuner), 'the tuner runs');
  reader.kill('SIGKILL');
  t.same(await exited, [null, 'SIGKILL']);
  await until('the tuner is gone', () => !isAlive(tuner));
});

t.test('a tuner that is killed ends the reader with exit code 1', apart, async (t) => {
  const { tuner, exited, client } = await startHopper(t);
  process.kill(tuner, 'SIGKILL');
  t.same(await exited, [1, null]);
  await t.rejects(
    client.until(() => false),
    /has ended/,
  );
});
