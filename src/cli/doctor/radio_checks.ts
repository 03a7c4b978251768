import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LinkSpec } from '../../model/link.ts';
import { type Adapter, describe } from './adapter.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { thisBox } from './time_checks.ts';

/** Access to the box for the checks of radios; a test brings its own. */
export type RadioBox = {
  /** Roots of the kernel's tree of devices, and of the configuration. */
  sys: string;
  etc: string;
  /** Output of a program; null where it is not there or fails. */
  run(program: string, ...words: string[]): string | null;
};

const sockets = '/run/dunlin-radio/';
type Use = Pick<LinkSpec, 'name' | 'address' | 'enabled'>;

/** Checks the Wi-Fi adapters of the box, and the links that read them. */
export function checkRadios(
  links: readonly Use[],
  box: RadioBox = { sys: '/sys', etc: '/etc', run: thisBox.run },
): Finding[] {
  const used = links.filter(({ enabled, address }) => enabled && adapterOf(address) !== null);
  const names = adapters(box.sys);
  const missing = used.filter(({ address }) => !names.includes(adapterOf(address) ?? ''));
  return [
    ...names.map((name) =>
      checkAdapter(
        name,
        used.filter(({ address }) => adapterOf(address) === name),
        box,
      ),
    ),
    ...missing.map((link) => missingFinding(link, names)),
  ];
}

/** Adapter whose socket a link dials; null for any other link. */
function adapterOf(address: string): string | null {
  return address.startsWith(sockets) && address.endsWith('.sock') ? address.slice(sockets.length, -5) : null;
}

function adapters(sys: string): string[] {
  const folder = join(sys, 'class/net');
  return namesIn(folder)
    .filter((name) => existsSync(join(folder, name, 'phy80211')))
    .sort();
}

function missingFinding({ name, address }: Use, names: readonly string[]): Finding {
  const there = names.length === 0 ? 'no Wi-Fi adapter is there' : `the adapters are ${names.join(', ')}`;
  const text = `link ${name} reads ${adapterOf(address)}, which is not there; ${there}`;
  return warning(`radio ${adapterOf(address)}`, text, 'plug it in, or change the address of the link');
}

function checkAdapter(name: string, used: readonly Use[], box: RadioBox): Finding {
  const check = `radio ${name}`;
  const adapter = describe(name, (...words) => box.run(...words));
  const driver = linkName(join(box.sys, 'class/net', name, 'device/driver')) ?? 'unknown driver';
  const text = `${driver}, ${adapter === null ? 'whether it can monitor is not known' : sentenceOf(adapter)}`;
  const socket = `dunlin-radio@${name}.socket`;
  const isOn = box.run('systemctl', 'is-active', socket) !== null;
  if (!isOn && used.length === 0) return ok(check, `${text}; Dunlin does not use it${howToUse(name, adapter)}`);
  const fault = hardwareFault(name, adapter, box) ?? unitFault(name, used, box);
  if (fault !== null) return wrong(check, `${text}; ${fault.text}`, fault.advice);
  const doubt = managed(name, box) ?? (used.length === 0 ? unread(name) : null);
  if (doubt !== null) return warning(check, `${text}; ${doubt.text}`, doubt.advice);
  return ok(check, `${text}; ${socket} is active, link ${used[0]?.name} reads it`);
}

type Fault = { text: string; advice: string };

const sentenceOf = ({ can_monitor: can, country }: Adapter): string =>
  `${can ? 'it can monitor' : 'it cannot monitor'}, regulatory domain ${country === '00' ? '00 (no country is set)' : country}`;

function howToUse(name: string, adapter: Adapter | null): string {
  return adapter?.can_monitor === false ? '' : `. To use it: systemctl enable --now dunlin-radio@${name}.socket`;
}

/** Faults that no unit can mend: the chip, a block of radios, a channel that the country does not have. */
function hardwareFault(name: string, adapter: Adapter | null, { sys, etc }: RadioBox): Fault | null {
  if (adapter?.can_monitor === false)
    return { text: 'nothing is received with it', advice: 'take an adapter that can monitor: docs/use/radios.md' };
  const phy = join(sys, 'class/net', name, 'phy80211');
  for (const block of namesIn(phy).filter((entry) => /^rfkill\d+$/.test(entry))) {
    if (textOf(join(phy, block, 'hard')) === '1')
      return { text: 'a switch of the box blocks it', advice: 'switch radios on, at the device or in the firmware' };
    if (textOf(join(phy, block, 'soft')) === '1') return { text: 'it is blocked', advice: 'rfkill unblock wifi' };
  }
  const conf = join(etc, 'dunlin/radio', `${name}.conf`);
  const off = channelsIn(textOf(conf)).find((channel) => adapter?.disabled_mhz.includes(frequencyOf(channel)));
  if (off === undefined) return null;
  const text = `channel ${off} of ${conf} is disabled in the regulatory domain ${adapter?.country}`;
  return { text, advice: 'set the country, as in: iw reg set CH; or take another channel' };
}

function unitFault(name: string, used: readonly Use[], box: RadioBox): Fault | null {
  const unit = `dunlin-radio@${name}`;
  if (used.length > 1) {
    const names = used.map((link) => link.name).join(' and ');
    return { text: `links ${names} read it, and it serves one`, advice: 'disable all links of the adapter but one' };
  }
  if (box.run('systemctl', 'is-active', `${unit}.socket`) === null) {
    const text = `${unit}.socket is not active, and link ${used[0]?.name} dials it`;
    return { text, advice: `systemctl enable --now ${unit}.socket` };
  }
  if (box.run('systemctl', 'is-failed', `${unit}.service`) === null) return null;
  return { text: `${unit}.service has failed`, advice: `journalctl -u ${unit}.service -e says why` };
}

/** State 10 is that of a device that NetworkManager leaves alone. */
function managed(name: string, { run }: RadioBox): Fault | null {
  const state = run('nmcli', '-g', 'GENERAL.STATE', 'device', 'show', name)?.trim();
  if (state === undefined || state === '' || state.startsWith('10 ')) return null;
  const text = `NetworkManager manages it (${state}) and may take it out of monitor mode`;
  return { text, advice: `nmcli device set ${name} managed no; docs/use/radios.md has the lasting way` };
}

function unread(name: string): Fault {
  const spec = `name=${name},transport=unix,address=${sockets}${name}.sock,protocol=capture,silence_s=10`;
  return { text: 'its socket is active and no link reads it', advice: `add a link: --link ${spec}` };
}

/** Reads the numbers as the radio's program does: between blanks, commas or brackets, up to a comment. */
function channelsIn(conf: string): number[] {
  const list = /^[ \t]*channels[ \t]*=([^#\n]*)/m.exec(conf)?.[1] ?? '6';
  return [...list.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

function frequencyOf(channel: number): number {
  if (channel === 14) return 2_484;
  return channel < 14 ? 2_407 + 5 * channel : 5_000 + 5 * channel;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function linkName(path: string): string | null {
  try {
    return basename(readlinkSync(path));
  } catch {
    return null;
  }
}
