import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkRadios } from '../../../src/cli/doctor/radio_checks.ts';
import { type Content, folderOf } from '../../support/basics/folder.ts';

/** A box with one adapter and a connection over it; `runs`: command lines of programs that succeed. */
function box(t: Parameters<typeof folderOf>[0], runs: readonly string[], hci: Content = {}) {
  const root = folderOf(t, { sys: { class: { bluetooth: { hci0: hci, 'hci0:256': {} } } }, etc: {} });
  const device = join(root, 'sys/class/bluetooth/hci0/device');
  mkdirSync(device);
  symlinkSync('../../../bus/usb/drivers/btusb', join(device, 'driver'));
  const run = (...words: string[]) => (runs.includes(words.join(' ')) ? '' : null);
  return { sys: join(root, 'sys'), etc: join(root, 'etc'), run };
}

const on = 'systemctl is-active dunlin-bluetooth@hci0.socket';
const ble = { name: 'ble', address: '/run/dunlin-radio/hci0.sock', enabled: true };

t.test('an adapter that is not used names the command that makes it work', async (t) => {
  t.same(checkRadios([], box(t, [])), [
    {
      ...{ check: 'radio hci0', state: 'ok', advice: null },
      text: 'btusb, Bluetooth; Dunlin does not use it. To use it: systemctl enable --now dunlin-bluetooth@hci0.socket',
    },
  ]);
});

t.test('an adapter that a link reads through its socket is in order', async (t) => {
  t.match(checkRadios([ble], box(t, [on])), [
    { state: 'ok', text: 'btusb, Bluetooth; dunlin-bluetooth@hci0.socket is active, link ble reads it' },
  ]);
});

t.test('each fault of an adapter names the command that mends it', async (t) => {
  const failed = 'systemctl is-failed dunlin-bluetooth@hci0.service';
  const used = [ble];
  const faults: [typeof used, ReturnType<typeof box>, string, RegExp, RegExp][] = [
    [used, box(t, []), 'wrong', /socket is not active/, /enable --now dunlin-bluetooth@hci0.socket$/],
    [used, box(t, [on, failed]), 'wrong', /has failed/, /journalctl -u dunlin-bluetooth@hci0.service -e/],
    [
      used,
      box(t, [on], { rfkill1: { hard: '0\n', soft: '1\n' } }),
      'wrong',
      /blocks the radio/,
      /^rfkill unblock bluetooth$/,
    ],
    [used, box(t, [on], { rfkill1: { hard: '1\n', soft: '0\n' } }), 'wrong', /a hardware switch/, /switch radios on/],
    [[ble, { ...ble, name: 'b' }], box(t, [on]), 'wrong', /links ble and b read this adapter/, /disable all but one/],
    [
      [],
      box(t, [on]),
      'warning',
      /no link reads the adapter/,
      /name=ble,transport=unix,address=.*hci0.sock,protocol=capture/,
    ],
    [
      used,
      box(t, [on, 'systemctl is-active bluetooth.service']),
      'warning',
      /bluetoothd runs/,
      /disable --now bluetooth/,
    ],
  ];
  for (const [links, of, state, text, advice] of faults) t.match(checkRadios(links, of), [{ state, text, advice }]);
});

t.test('a link to an adapter that is pulled out is found', async (t) => {
  t.match(checkRadios([{ ...ble, address: '/run/dunlin-radio/hci1.sock' }], box(t, [])), [
    { check: 'radio hci0', state: 'ok' },
    { check: 'radio hci1', state: 'warning', text: /is not there; the adapters are hci0/ },
  ]);
});
