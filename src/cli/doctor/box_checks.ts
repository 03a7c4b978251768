import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { readSealingKey } from '../../access/sealed.ts';
import { secretKeyFile } from '../../host/config.ts';
import { EARLIEST_BELIEVED_MS } from '../../host/gps/gps_time.ts';
import { sentenceOf } from '../../model/fault.ts';
import { type Finding, ok, unknown, warning, wrong } from './finding.ts';

export function checkAddon(): Finding {
  try {
    createRequire(import.meta.url)('#native');
    return ok('addon', `the native addon loads (Node ${process.versions.node})`);
  } catch (thrown) {
    const text = `the native addon does not load: ${sentenceOf(thrown).split('\n')[0]}`;
    return wrong('addon', text, 'build it for this Node: npm rebuild, or install the package for this system');
  }
}

/** Checks the system clock. Dunlin runs with a wrong clock too, but its rows then have wrong times. */
export function checkClock(now = new Date()): Finding {
  const advice = 'set the clock, or add a time source: timedatectl set-ntp true, or a GPS receiver with chrony';
  if (now.getTime() < EARLIEST_BELIEVED_MS)
    return wrong('clock', `the system clock shows ${now.toISOString()}, so it was never set`, advice);
  const synchronised = isSynchronised();
  if (synchronised === null)
    return unknown(
      'clock',
      `the system clock shows ${now.toISOString()}; it is unknown whether a time source corrects it`,
    );
  if (synchronised) return ok('clock', `the system clock shows ${now.toISOString()}, and a time source corrects it`);
  return warning('clock', `the system clock shows ${now.toISOString()}, and no time source corrects it`, advice);
}

function isSynchronised(): boolean | null {
  const run = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
    timeout: 3_000,
  });
  const said = run.stdout?.trim();
  return run.status === 0 && (said === 'yes' || said === 'no') ? said === 'yes' : null;
}

export function checkSecretKey(): Finding {
  const path = secretKeyFile();
  if (path === null) return checkHandedKey();
  try {
    accessSync(path, constants.R_OK);
  } catch (thrown) {
    return wrong(
      'secret key',
      `${path} cannot be read: ${sentenceOf(thrown)}`,
      'put the file back, or let this user read it',
    );
  }
  const open = (statSync(path).mode & 0o077) !== 0;
  if (open) return warning('secret key', `${path} can be read by others`, `chmod 0400 ${path}`);
  const sealing = readSealingKey(path);
  if ('missing' in sealing)
    return wrong('secret key', sealing.missing, 'create a key of 32 bytes: head -c 32 /dev/urandom > FILE');
  return ok('secret key', `${path} can be read by this user alone`);
}

/**
 * Checks the secret key that systemd passes to the daemon. The environment of this process does not name the key, so
 * the text of the unit is read.
 */
function checkHandedKey(): Finding {
  const path = secretKeyOf(systemctl('cat', 'dunlin.service') ?? '');
  if (path === null)
    return ok('secret key', 'no secret key is configured: requests that need secrets are answered with 503');
  if (isAbsolute(path) && isMissing(path)) {
    return wrong(
      'secret key',
      `dunlin.service needs the key file ${path}, which is missing`,
      `put the file back at ${path}`,
    );
  }
  return ok('secret key', `systemd passes ${path} to the daemon`);
}

/** Returns true if a file is missing. A file that this user may not access does not count as missing. */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

const KEY_OF_UNIT =
  /^[ \t]*(?:LoadCredential(?:Encrypted)?[ \t]*=[ \t]*(?:secret_key:(\S+))?|Environment[ \t]*=[ \t]*"?DUNLIN_SECRET_KEY_FILE=([^\s"]+)"?)[ \t]*$/gm;

/**
 * Returns the secret key file that a unit and its drop-ins name last; null without one. The text of the unit is read,
 * because `systemctl show` does not print credentials.
 */
export function secretKeyOf(unit: string): string | null {
  const [, credential, variable] = [...unit.matchAll(KEY_OF_UNIT)].at(-1) ?? [];
  return credential ?? variable ?? null;
}

/** Checks the units of systemd, if systemd runs on this box. */
export function checkSystemd(): Finding[] {
  if (!existsSync('/run/systemd/system')) return [unknown('systemd', 'systemd does not run here')];
  const enabled = systemctl('is-enabled', 'dunlin.service');
  if (enabled === null || enabled === 'not-found') {
    return [unknown('systemd', 'there is no dunlin.service on this box: Dunlin is started by hand')];
  }
  const active = systemctl('is-active', 'dunlin.service');
  const findings: Finding[] = [];
  if (active === 'failed') {
    findings.push(wrong('systemd', 'dunlin.service has failed', 'read the reason: journalctl -u dunlin -e'));
  } else if (enabled !== 'enabled') {
    findings.push(
      warning('systemd', `dunlin.service is ${enabled}: it does not start with the box`, 'systemctl enable dunlin'),
    );
  } else findings.push(ok('systemd', `dunlin.service is enabled and ${active ?? 'in an unknown state'}`));
  return findings;
}

/** Runs systemctl. Returns its output; null for an empty output, or if there is no systemctl. */
export function systemctl(...words: string[]): string | null {
  const run = spawnSync('systemctl', words, { encoding: 'utf8', timeout: 3_000 });
  return run.error === undefined ? run.stdout.trim() || null : null;
}
