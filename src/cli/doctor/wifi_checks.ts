import { join } from 'node:path';
import { type Adapter, describe } from './adapter.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import {
  blockIn,
  type Fault,
  isActive,
  linkName,
  type RadioBox,
  textOf,
  type Use,
  unitFault,
  unread,
} from './radio_units.ts';

/** Checks a Wi-Fi adapter. `used` are the links that read the adapter. */
export function checkWifi(name: string, used: readonly Use[], box: RadioBox): Finding {
  const check = `radio ${name}`;
  const adapter = describe(name, (...words) => box.run(...words));
  const driver = linkName(join(box.sys, 'class/net', name, 'device/driver')) ?? 'unknown driver';
  const text = `${driver}, ${adapter === null ? 'it is unknown whether it supports monitor mode' : sentenceOf(adapter)}`;
  const unit = `dunlin-radio@${name}`;
  if (!isActive(unit, box) && used.length === 0)
    return ok(check, `${text}; Dunlin does not use it${howToUse(unit, adapter)}`);
  const fault = hardwareFault(name, adapter, box) ?? unitFault(unit, used, box);
  if (fault !== null) return wrong(check, `${text}; ${fault.text}`, fault.advice);
  const doubt = managed(name, box) ?? (used.length === 0 ? unread(name, name) : null);
  if (doubt !== null) return warning(check, `${text}; ${doubt.text}`, doubt.advice);
  return ok(check, `${text}; ${unit}.socket is active, link ${used[0]?.name} reads it`);
}

const sentenceOf = ({ can_monitor: can, country }: Adapter): string =>
  `${can ? 'it supports monitor mode' : 'it does not support monitor mode'}, regulatory domain ${country === '00' ? '00 (no country is set)' : country}`;

function howToUse(unit: string, adapter: Adapter | null): string {
  return adapter?.can_monitor === false ? '' : `. To use it: systemctl enable --now ${unit}.socket`;
}

/**
 * Returns a fault of the hardware or the country: no monitor mode, a blocked radio, or a channel that is not allowed.
 */
function hardwareFault(name: string, adapter: Adapter | null, { sys, etc }: RadioBox): Fault | null {
  if (adapter?.can_monitor === false)
    return {
      text: 'this adapter receives nothing',
      advice: 'use an adapter that supports monitor mode: docs/use/radios.md',
    };
  const block = blockIn(join(sys, 'class/net', name, 'phy80211'), 'wifi');
  if (block !== null) return block;
  const conf = join(etc, 'dunlin/radio', `${name}.conf`);
  const off = channelsIn(textOf(conf)).find((channel) => adapter?.disabled_mhz.includes(frequencyOf(channel)));
  if (off === undefined) return null;
  const text = `channel ${off} of ${conf} is disabled in the regulatory domain ${adapter?.country}`;
  return { text, advice: 'set the country, for example: iw reg set CH; or use another channel' };
}

/** Returns a fault if NetworkManager manages an adapter. NetworkManager shows state 10 for an unmanaged device. */
function managed(name: string, { run }: RadioBox): Fault | null {
  const state = run('nmcli', '-g', 'GENERAL.STATE', 'device', 'show', name)?.trim();
  if (state === undefined || state === '' || state.startsWith('10 ')) return null;
  const text = `NetworkManager manages it (${state}) and may take it out of monitor mode`;
  return { text, advice: `nmcli device set ${name} managed no; docs/use/radios.md describes the permanent setting` };
}

/**
 * Reads the channels of a configuration as `dunlin-radio` does: all numbers of the line `channels=` that precede a
 * comment. Without that line, the channel is 6.
 */
function channelsIn(conf: string): number[] {
  const list = /^[ \t]*channels[ \t]*=([^#\n]*)/m.exec(conf)?.[1] ?? '6';
  return [...list.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

function frequencyOf(channel: number): number {
  if (channel === 14) return 2_484;
  return channel < 14 ? 2_407 + 5 * channel : 5_000 + 5 * channel;
}
