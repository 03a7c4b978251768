import { realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkLink } from '../../src/cli/doctor/way_checks.ts';
import { openLink, rigLink, specOf, until } from '../edge/link/rig.ts';
import { openFarEnd, socatMissing, startPtyPair } from '../support/links/pty.ts';
import { usbTree } from '../support/links/usb_tree.ts';

const skip = socatMissing();

t.test('a receiver that comes back as another tty is found by its name', { skip }, async (t) => {
  const folder = t.testdir({ first: {}, second: {} });
  const [first, second] = [await startPtyPair(t, join(folder, 'first')), await startPtyPair(t, join(folder, 'second'))];
  // As the device manager names it: the name stays, the tty behind it changes.
  const byId = join(folder, 'usb-Receiver-if00');
  symlinkSync(realpathSync(first.near), byId);
  const { link, text } = await openLink(t, { transport: 'serial', address: byId });
  const before = link.status().boundTo;
  await first.pull();
  rmSync(byId);
  await until('the hang-up', () => link.status().state === 'backoff');
  symlinkSync(realpathSync(second.near), byId);
  await until('it opens', () => link.status().state === 'open');
  t.not(link.status().boundTo, before, `${before} became ${link.status().boundTo}`);
  openFarEnd(t, second.far).send('from the new tty');
  await until('bytes', () => text() === 'from the new tty');
});

t.test('a link by the number of a tty says which port its receiver is at now, and so does the doctor', async (t) => {
  const address = '/dev/ttyUSB70';
  const sys = usbTree(t.testdir(), [{ tty: 'ttyUSB71', port: '1-2/1-2:1.0', ids: ['10c4', 'ea60', '0001'] }]);
  const { link } = rigLink(t, { transport: 'serial', address }, { roots: { sys, dev: '/dev' } });
  link.start();
  await until('a failed attempt', () => link.status().state === 'backoff');
  const sentence = `${address} is not there; plugged in now: /dev/ttyUSB71 (usb:10c4:ea60:0001)`;
  t.equal(link.status().lastError, sentence);
  t.match(link.status().warning, /may be another device after a restart or replug; name it by .*usb:VID:PID/);
  const spec = specOf({ transport: 'serial', address });
  t.match(await checkLink(spec, true, sys), { state: 'warning', text: sentence, advice: /use usb:/ });
  const gone = specOf({ transport: 'serial', address: 'usb:0403:6001' });
  t.match(await checkLink(gone, true, sys), { text: /^usb:0403:6001 is not plugged in; plugged in now: .*ttyUSB71/ });
});
