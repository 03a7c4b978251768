import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { until } from '../support/basics/deadline.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { beacon, nanFrame, pcapFile, pcapngFile, radiotap } from '../support/links/packets.ts';
import { RadioClient } from '../support/links/radio_client.ts';
import { builtNative } from '../support/references/built_native.ts';
import { emulator } from '../support/references/emulator.ts';

takeTime(t, 120);
const mac = '60:60:1f:10:01:2d';
const pack = Buffer.alloc(200, 7);
const run = promisify(execFile);
const program = () => builtNative('radio_program', ['-O2']);

/** Serves a capture; the answer resolves with the exit code. */
async function serve(t: Test, folder: string, capture: Buffer) {
  const path = join(folder, 'radio.sock');
  writeFileSync(join(folder, 'capture'), capture);
  const words = ['--read', join(folder, 'capture'), '--listen', path];
  const child = spawn(await program(), words, { stdio: 'inherit' });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until('the program listens', () => existsSync(path));
  return { path, ended };
}

t.test('a capture is served as the radio would be, and the program ends with it', async (t) => {
  const own = [radiotap(beacon(mac, 1, pack)), radiotap(nanFrame(mac, 2, pack))];
  const others = [radiotap(beacon(mac, 1, pack).fill(0, 40))];
  const packets = [...own, ...others].map((bytes, at) => ({ atMs: 1_000 + at, bytes }));
  for (const capture of [
    pcapFile(127, packets),
    pcapFile(127, packets, { isNano: true }),
    pcapngFile([127], packets),
  ]) {
    const { path, ended } = await serve(t, folderOf(t), capture);
    const client = new RadioClient(t, path);
    await client.until(() => client.isClosed);
    t.same(client.packets, own);
    t.same(client.linkTypes, [127]);
    t.match(client.counts.at(-1), { received: 3, dropped: 0, comment: { freq_mhz: 2437, heard: 3 } });
    t.same(await ended, [0, null]);
  }
});

t.test('a client that reads slowly loses nothing of a capture', async (t) => {
  const frame = radiotap(beacon(mac, 1, pack));
  const { path, ended } = await serve(
    t,
    folderOf(t),
    pcapFile(
      127,
      Array.from({ length: 5_000 }, (_, at) => ({ atMs: at, bytes: frame })),
    ),
  );
  const client = new RadioClient(t, path);
  await client.until(() => client.packets.length > 0);
  client.socket.pause();
  // The program has sent what the kernel holds by the time that another program ran.
  await run(await program(), ['--help']);
  client.socket.resume();
  await client.until(() => client.isClosed);
  t.equal(client.packets.length, 5_000);
  t.equal(client.counts.at(-1)?.dropped, 0);
  t.same(await ended, [0, null]);
});

t.test('the socket that systemd passes is used', async (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, 'capture'), pcapFile(127, [{ atMs: 1, bytes: radiotap(beacon(mac, 1, pack)) }]));
  const pass = `import os, socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1] + '.new'); s.listen(); os.rename(sys.argv[1] + '.new', sys.argv[1])
os.dup2(s.fileno(), 3); os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); os.execv(sys.argv[2], sys.argv[2:])`;
  const path = join(folder, 'passed.sock');
  const child = spawn('python3', ['-c', pass, path, await program(), '--read', join(folder, 'capture')], {
    stdio: 'inherit',
  });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until('the socket is there', () => existsSync(path));
  const client = new RadioClient(t, path);
  await client.until(() => client.isClosed);
  t.equal(client.packets.length, 1);
  t.same(await ended, [0, null]);
});

t.test('wrong use and wrong configurations name the remedy', async (t) => {
  const folder = folderOf(t);
  const refused = async (words: string[], conf?: string): Promise<[number, string]> => {
    if (conf !== undefined) writeFileSync(join(folder, 'conf'), conf);
    try {
      await run(await program(), words);
      return [0, ''];
    } catch (thrown) {
      const { code, stderr } = thrown as { code: number; stderr: string };
      return [code, stderr];
    }
  };
  const withConf = (conf: string) => refused(['lo', '--config', join(folder, 'conf')], conf);
  t.match(await refused([]), [2, /give the name of one adapter, or --read FILE/]);
  if (emulator.length === 0)
    t.match(await refused(['lo', '--no-tune']), [1, /needs CAP_NET_RAW|is not in monitor mode/]);
  else t.comment('not tried: an emulator has no lock of the filter of a packet socket');
  for (const word of ['--describe', '--no-tune'])
    t.match(await refused(['hci0', word]), [2, /hci0 is a Bluetooth adapter: .* are for Wi-Fi/]);
  t.match(await refused(['nothing0']), [1, /there is no interface nothing0: ip link lists the interfaces/]);
  t.match(await withConf('channels = 1 2 3 4 5\n'), [78, /conf:1: the key channels needs one to four channel numbers/]);
  t.match(await withConf('# radio\nchannels = 15\n'), [78, /conf:2: there is no Wi-Fi channel 15/]);
  t.match(await withConf('channels = 6\ndwell_ms = 3000 200\n'), [78, /dwell_ms has 2 times for 1 channels/]);
  t.match(await withConf('channels = 6\ndwell_ms = 5\n'), [78, /conf:2: the key dwell_ms needs .* 50 to 60000 ms/]);
  t.match(await withConf('chanels = 6\n'), [78, /conf:1: the line must begin with a key, channels or dwell_ms/]);
  writeFileSync(join(folder, 'text'), 'no capture');
  t.match(await refused(['--read', join(folder, 'text')]), [2, /is not a capture of 802.11 frames/]);
});

t.test('adapters are set up and described by commands of nl80211 that send nothing', async (t) => {
  const { stdout } = await run(await builtNative('radio_nl80211', ['-O1']));
  t.same(stdout.trim().split('\n'), [
    // Family and command, flags (1 request, 4 acknowledge, 0x300 dump), attributes, length.
    '16/3 flags 5: 2(8) of 32',
    '28/6 flags 5: 3=7 5=6 of 36',
    '28/2 flags 5: 3=7 38=2437 159=0 of 44',
    '28/2 flags 5: 3=7 38=5260 159=0 of 44',
    '28/1 flags 301: 3=7 174(0) of 32',
    '28/31 flags 5: of 20',
    'errors 0 0 0 22 0 0',
    'monitor 1 country 00 2437 5260!',
  ]);
});

const noRights =
  (process.getuid?.() !== 0 && 'only a process with capabilities gives them up') ||
  (emulator.length > 0 && 'an emulator has capabilities of its own');

t.test(
  'the tuner keeps the right to change channels alone, and ends with the adapter',
  { skip: noRights },
  async (t) => {
    const { stdout, stderr } = await run(await builtNative('radio_tuner', ['-O1']));
    const lines = stdout.trim().split('\n');
    t.same(
      lines.filter((line) => /^\d+$/.test(line)),
      ['2437', '5745', '2437', '5745', '2437'],
    );
    for (const set of ['CapEff', 'CapPrm', 'CapBnd'])
      t.ok(lines.includes(`${set}:\t0000000000001000`), `${set} is CAP_NET_ADMIN`);
    t.equal(lines.at(-1), 'ended at 5745');
    t.match(stderr, /refuses 2437 MHz: No such device/);
  },
);
