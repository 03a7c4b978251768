import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { LinkSpec } from '../../model/link.ts';

/** Access to the box for the checks of radios. Tests replace it. */
export type RadioBox = {
  /** Root folders of sysfs (`sys`) and of the configuration (`etc`). */
  sys: string;
  etc: string;
  /** Runs a program, and returns its output; null if the program is missing or fails. */
  run(program: string, ...words: string[]): string | null;
};

/** Link that may read an adapter. */
export type Use = Pick<LinkSpec, 'name' | 'address' | 'enabled'>;
export type Fault = { text: string; advice: string };

const sockets = '/run/dunlin-radio/';

/** Returns the adapter to whose socket a link connects; null for any other link. */
export function adapterOf(address: string): string | null {
  return address.startsWith(sockets) && address.endsWith('.sock') ? address.slice(sockets.length, -5) : null;
}

/** Returns true if the systemd socket of a unit is active. */
export function isActive(unit: string, { run }: RadioBox): boolean {
  return run('systemctl', 'is-active', `${unit}.socket`) !== null;
}

/** Returns a fault of an adapter's unit, or of the links that read the adapter; null without a fault. */
export function unitFault(unit: string, used: readonly Use[], box: RadioBox): Fault | null {
  if (used.length > 1) {
    const names = used.map((link) => link.name).join(' and ');
    return {
      text: `the links ${names} read this adapter, which serves only one link`,
      advice: 'disable all but one of these links',
    };
  }
  if (!isActive(unit, box)) {
    const text = `${unit}.socket is not active, so link ${used[0]?.name} cannot connect to it`;
    return { text, advice: `systemctl enable --now ${unit}.socket` };
  }
  if (box.run('systemctl', 'is-failed', `${unit}.service`) === null) return null;
  return { text: `${unit}.service has failed`, advice: `read the reason: journalctl -u ${unit}.service -e` };
}

/** Returns a fault if a switch or software blocks the radio of a device (rfkill). `kind` is the type name of rfkill. */
export function blockIn(folder: string, kind: 'wifi' | 'bluetooth'): Fault | null {
  for (const block of namesIn(folder).filter((entry) => /^rfkill\d+$/.test(entry))) {
    if (textOf(`${folder}/${block}/hard`) === '1')
      return {
        text: 'a hardware switch blocks the radio',
        advice: 'switch radios on, at the device or in its firmware',
      };
    if (textOf(`${folder}/${block}/soft`) === '1')
      return { text: 'software blocks the radio', advice: `rfkill unblock ${kind}` };
  }
  return null;
}

export function unread(name: string, link: string): Fault {
  const spec = `name=${link},transport=unix,address=${sockets}${name}.sock,protocol=capture,silence_s=10`;
  return { text: 'its socket is active, but no link reads the adapter', advice: `add a link: --link ${spec}` };
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Returns the base name of a symbolic link's target; null if there is no such link. */
export function linkName(path: string): string | null {
  try {
    return basename(readlinkSync(path));
  } catch {
    return null;
  }
}
