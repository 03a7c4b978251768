import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkRadios } from '../../../src/cli/doctor/radio_checks.ts';
import { type Content, folderOf } from '../../support/basics/folder.ts';

type Answers = Record<string, string>;

/** A box with one adapter `wlan1` beside a cable, and what its programs answer by their command line's end. */
function box(t: Parameters<typeof folderOf>[0], answers: Answers, phy: Content = {}, conf: Content = {}) {
  const root = folderOf(t, {
    sys: { class: { net: { wlan1: { phy80211: phy }, eth0: {} } } },
    etc: { dunlin: { radio: conf } },
  });
  const device = join(root, 'sys/class/net/wlan1/device');
  mkdirSync(device);
  symlinkSync('../../../bus/usb/drivers/mt7921u', join(device, 'driver'));
  const run = (...words: string[]): string | null =>
    answers[Object.keys(answers).find((end) => words.join(' ').endsWith(end)) ?? ''] ?? null;
  return { sys: join(root, 'sys'), etc: join(root, 'etc'), run };
}

const described = (more: object = {}) =>
  JSON.stringify({ can_monitor: true, country: 'CH', enabled_mhz: [2437], disabled_mhz: [], ...more });
const link = (name: string, adapter = 'wlan1') => ({
  name,
  address: `/run/dunlin-radio/${adapter}.sock`,
  enabled: true,
});
const on = { 'wlan1 --describe': described(), 'is-active dunlin-radio@wlan1.socket': 'active\n' };

t.test('an adapter that a link reads through its socket is in order', async (t) => {
  t.same(checkRadios([link('wifi6')], box(t, on)), [
    {
      ...{ check: 'radio wlan1', state: 'ok', advice: null },
      text: 'mt7921u, it supports monitor mode, regulatory domain CH; dunlin-radio@wlan1.socket is active, link wifi6 reads it',
    },
  ]);
});

t.test('an adapter that is not used says how to use it, unless it cannot monitor', async (t) => {
  const [unused] = checkRadios([], box(t, { 'wlan1 --describe': described({ country: '00' }) }));
  t.match(unused, {
    state: 'ok',
    text: /00 \(no country is set\); Dunlin does not use it. To use it: systemctl enable/,
  });
  const [blunt] = checkRadios([], box(t, { 'wlan1 --describe': described({ can_monitor: false }) }));
  t.match(blunt, { state: 'ok', text: /it does not support monitor mode, .* does not use it$/ });
});

t.test('each fault of a used adapter names the command that mends it', async (t) => {
  const disabled = described({ country: 'XX', disabled_mhz: [5745] });
  const faults: [ReturnType<typeof box>, RegExp, RegExp][] = [
    [box(t, { 'wlan1 --describe': described() }), /socket is not active/, /enable --now dunlin-radio@wlan1.socket$/],
    [
      box(t, { ...on, 'wlan1 --describe': described({ can_monitor: false }) }),
      /does not support monitor mode/,
      /radios.md$/,
    ],
    [box(t, on, { rfkill3: { soft: '1\n', hard: '0\n' } }), /software blocks the radio/, /^rfkill unblock wifi$/],
    [box(t, on, { rfkill3: { soft: '1\n', hard: '1\n' } }), /a hardware switch/, /switch radios on/],
    [
      box(t, { ...on, 'wlan1 --describe': disabled }, {}, { 'wlan1.conf': '# two\nchannels = 6 149\n' }),
      /channel 149 of .*wlan1.conf is disabled in the regulatory domain XX/,
      /iw reg set/,
    ],
    [
      box(t, { ...on, 'is-failed dunlin-radio@wlan1.service': 'failed\n' }),
      /dunlin-radio@wlan1.service has failed/,
      /journalctl -u dunlin-radio@wlan1.service -e/,
    ],
  ];
  for (const [of, text, advice] of faults) {
    const findings = checkRadios([link('wifi6')], of);
    t.equal(findings.length, 1);
    t.match(findings[0], { check: 'radio wlan1', state: 'wrong', text, advice });
  }
});

t.test('NetworkManager, a socket without a link, two links and a missing adapter are found', async (t) => {
  const nm = { ...on, 'GENERAL.STATE device show wlan1': '30 (disconnected)\n' };
  t.match(checkRadios([link('wifi6')], box(t, nm)), [
    { state: 'warning', text: /NetworkManager manages it \(30/, advice: /^nmcli device set wlan1 managed no/ },
  ]);
  const unmanaged = { ...on, 'GENERAL.STATE device show wlan1': '10 (unmanaged)\n' };
  t.match(checkRadios([link('wifi6')], box(t, unmanaged)), [{ state: 'ok' }]);
  t.match(checkRadios([{ ...link('wifi6'), enabled: false }], box(t, on)), [
    { state: 'warning', advice: /transport=unix,address=\/run\/dunlin-radio\/wlan1.sock,protocol=capture/ },
  ]);
  t.match(checkRadios([link('a'), link('b')], box(t, on)), [
    { state: 'wrong', text: /links a and b read this adapter/ },
  ]);
  t.match(checkRadios([link('far', 'wlan9')], box(t, {})), [
    { check: 'radio wlan1', state: 'ok' },
    { check: 'radio wlan9', state: 'warning', text: /is not there; the adapters are wlan1/ },
  ]);
});

t.test('channels are read as the program of the radio reads them', async (t) => {
  const disabled = { ...on, 'wlan1 --describe': described({ country: 'XX', disabled_mhz: [5745] }) };
  for (const line of [
    'channels = 6 149',
    'channels=6,149',
    'channels = [6, 149]',
    'channels = 149 # the upper one',
    '\tchannels = 149\r',
  ])
    t.match(checkRadios([link('wifi6')], box(t, disabled, {}, { 'wlan1.conf': `${line}\ndwell_ms = 3000\n` })), [
      { state: 'wrong', text: /channel 149 of .* is disabled/ },
    ]);
  const commented = { 'wlan1.conf': '#channels = 149\nchannels = 6 # not 149\n' };
  t.match(checkRadios([link('wifi6')], box(t, disabled, {}, commented)), [{ state: 'ok' }]);
});

t.test('a box without adapters has nothing to say', async (t) => {
  t.same(checkRadios([], { sys: folderOf(t), etc: '/', run: () => null }), []);
});
