import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkBluetooth } from './bluetooth_checks.ts';
import { type Finding, warning } from './finding.ts';
import { adapterOf, namesIn, type RadioBox, type Use } from './radio_units.ts';
import { thisBox } from './time_checks.ts';
import { checkWifi } from './wifi_checks.ts';

/** Checks the Wi-Fi and Bluetooth adapters of the box, and the links that read them. */
export function checkRadios(
  links: readonly Use[],
  box: RadioBox = { sys: '/sys', etc: '/etc', run: thisBox.run },
): Finding[] {
  const used = links.filter(({ enabled, address }) => enabled && adapterOf(address) !== null);
  const readersOf = (name: string): Use[] => used.filter(({ address }) => adapterOf(address) === name);
  const wifi = wifiAdapters(box.sys);
  const bluetooth = bluetoothAdapters(box.sys);
  const names = [...wifi, ...bluetooth];
  const missing = used.filter(({ address }) => !names.includes(adapterOf(address) ?? ''));
  return [
    ...wifi.map((name) => checkWifi(name, readersOf(name), box)),
    ...bluetooth.map((name) => checkBluetooth(name, readersOf(name), box)),
    ...missing.map((link) => missingFinding(link, names)),
  ];
}

function wifiAdapters(sys: string): string[] {
  const folder = join(sys, 'class/net');
  return namesIn(folder)
    .filter((name) => existsSync(join(folder, name, 'phy80211')))
    .sort();
}

/** Lists Bluetooth adapters. The folder also contains connections, with names such as hci0:256, which are left out. */
function bluetoothAdapters(sys: string): string[] {
  return namesIn(join(sys, 'class/bluetooth'))
    .filter((name) => /^hci\d+$/.test(name))
    .sort();
}

function missingFinding({ name, address }: Use, names: readonly string[]): Finding {
  const there = names.length === 0 ? 'there is no adapter' : `the adapters are ${names.join(', ')}`;
  const text = `link ${name} reads the adapter ${adapterOf(address)}, which is not there; ${there}`;
  return warning(`radio ${adapterOf(address)}`, text, 'plug the adapter in, or change the address of the link');
}
