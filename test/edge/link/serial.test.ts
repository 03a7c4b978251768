import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Claims } from '../../../src/edge/link/claims.ts';
import { openFarEnd, socatMissing, startPtyPair } from '../../support/links/pty.ts';
import { openLink, rigLink, until } from './rig.ts';

const skip = socatMissing();

t.test('bytes flow both ways, unchanged, at any baud rate', { skip }, async (t) => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1');
  for (const baud of [9600, 57_600, 420_000]) {
    const pty = await startPtyPair(t, t.testdir());
    const far = openFarEnd(t, pty.far);
    const { link, text } = await openLink(t, { transport: 'serial', address: pty.near, baud });
    far.send(every);
    await until('every byte value in', () => text() === every);
    await link.write(Buffer.from('reply'));
    await until('the reply out', () => far.text() === 'reply');
    t.match(
      link.status(),
      { rxBytes: 256, txBytes: 5, lastError: null, boundTo: realpathSync(pty.near) },
      `${baud} baud`,
    );
    await link.stop();
    await pty.pull();
  }
});

t.test('a device is found by its USB ids', { skip }, async (t) => {
  const dir = t.testdir();
  const pty = await startPtyPair(t, dir);
  const roots = { sys: join(dir, 'sys'), dev: join(dir, 'dev') };
  const port = join(roots.sys, 'devices/usb1/1-1/1-1:1.0');
  mkdirSync(port, { recursive: true });
  mkdirSync(join(roots.sys, 'class/tty/ttyUSB7'), { recursive: true });
  mkdirSync(roots.dev);
  symlinkSync(port, join(roots.sys, 'class/tty/ttyUSB7/device'));
  writeFileSync(join(roots.sys, 'devices/usb1/1-1/idVendor'), '303a\n');
  writeFileSync(join(roots.sys, 'devices/usb1/1-1/idProduct'), '1001\n');
  writeFileSync(join(roots.sys, 'devices/usb1/1-1/serial'), '84:FC\n');
  symlinkSync(pty.near, join(roots.dev, 'ttyUSB7'));
  const far = openFarEnd(t, pty.far);
  const { text } = await openLink(t, { transport: 'serial', address: 'usb:303A:1001:84:FC' }, { roots });
  far.send('found');
  await until('bytes', () => text() === 'found');
  const missing = rigLink(t, { transport: 'serial', address: 'usb:303a:1002' }, { roots });
  missing.link.start();
  t.match(missing.link.status().state, 'opening');
  await until('the failure', () => missing.link.status().state === 'backoff');
  t.equal(missing.link.status().lastError, 'usb:303a:1002 is not plugged in');
});

t.test('a second link on a device is refused at start, by whatever name it calls it', { skip }, async (t) => {
  const dir = t.testdir();
  const pty = await startPtyPair(t, dir);
  const alias = join(dir, 'by-id');
  symlinkSync(pty.near, alias);
  const claims = new Claims();
  const first = await openLink(t, { transport: 'serial', address: pty.near, name: 'radio' }, { claims });
  const device = realpathSync(pty.near);
  for (const address of [alias, device]) {
    const second = rigLink(t, { transport: 'serial', address, name: 'second' }, { claims });
    t.throws(() => second.link.start(), { code: 'conflict', message: `${device} is in use by link 'radio'` }, address);
  }
  await first.link.stop();
  await openLink(t, { transport: 'serial', address: alias, name: 'second' }, { claims });
});

t.test('two links on one name that is not there yet are one too many', async (t) => {
  const claims = new Claims();
  const address = join(t.testdir(), 'absent');
  const first = rigLink(t, { transport: 'serial', address, name: 'radio' }, { claims });
  const second = rigLink(t, { transport: 'serial', address, name: 'second' }, { claims });
  first.link.start();
  t.throws(() => second.link.start(), { code: 'conflict', message: `the name ${address} is in use by link 'radio'` });
  await until('the failure', () => first.link.status().state === 'backoff');
  t.equal(first.link.status().lastError, `${address} is not there`);
});

t.test('a device that another program has locked is a back-off that says so, until it is free', { skip }, async (t) => {
  const pty = await startPtyPair(t, t.testdir());
  // The two links know nothing of each other's claims, as two programs would not.
  const other = await openLink(t, { transport: 'serial', address: pty.near });
  const { link } = rigLink(t, { transport: 'serial', address: pty.near });
  link.start();
  await until('the failure', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, `${realpathSync(pty.near)} is in use by another program`);
  await other.link.stop();
  await until('it opens', () => link.status().state === 'open');
});

t.test('a path that is no serial device is a failure that no retry mends', async (t) => {
  const file = join(t.testdir({ f: 'x' }), 'f');
  for (const address of [file, '/dev/null']) {
    const { link } = rigLink(t, { transport: 'serial', address });
    link.start();
    await until('the failure', () => link.status().state === 'failed');
    t.equal(link.status().lastError, `${address} is not a serial device`);
  }
});

t.test('a bare kernel number works, with a warning', async (t) => {
  const { link } = rigLink(t, { transport: 'serial', address: '/dev/ttyUSB250' });
  t.match(link.status().warning, /ttyUSB250 may be another device/);
});

/** What the kernel does to an open port when its USB device is unplugged; needs root. */
const hangUp =
  'import os,fcntl,signal,sys\nsignal.signal(signal.SIGHUP,signal.SIG_IGN)\nfcntl.ioctl(os.open(sys.argv[1],os.O_RDWR|os.O_NOCTTY|os.O_NONBLOCK),0x5437)';
const cannotHangUp =
  skip ||
  (process.getuid?.() !== 0 && 'hanging up a terminal needs root') ||
  (spawnSync('python3', ['-V']).error ? 'python3 is not installed, which hangs the terminal up' : false);

t.test(
  'an unplugging in the middle of a stream of bytes is noticed, without a busy loop',
  { skip: cannotHangUp },
  async (t) => {
    const pty = await startPtyPair(t, t.testdir());
    const far = openFarEnd(t, pty.far);
    const { link, text, states } = await openLink(t, { transport: 'serial', address: pty.near });
    far.send('x'.repeat(2_000));
    await until('bytes', () => text().length > 0);
    const before = process.cpuUsage();
    execFileSync('python3', ['-c', hangUp, pty.near]);
    await until('the hang-up', () => states().includes('backoff'));
    const spent = process.cpuUsage(before);
    t.ok(spent.user + spent.system < 500_000, `${(spent.user + spent.system) / 1000} ms of processor time`);
    await until('it opens again', () => link.status().state === 'open');
  },
);

t.test('opening and closing leaves no descriptor behind', { skip }, async (t) => {
  const pty = await startPtyPair(t, t.testdir());
  const { link } = rigLink(t, { transport: 'serial', address: pty.near });
  const round = async () => {
    link.start();
    await until('it opens', () => link.status().state === 'open');
    await link.stop();
  };
  await round();
  const before = readdirSync('/proc/self/fd').length;
  for (let i = 0; i < 50; i++) await round();
  t.equal(readdirSync('/proc/self/fd').length, before);
});
