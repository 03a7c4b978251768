import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../host/config.ts';
import { syncPath } from '../../store/place.ts';
import { certificateProblem } from '../certificate.ts';
import { type Box, daemonGroup } from './box.ts';
import type { Opening } from './opening.ts';
import { changing, failed, type Step } from './step.ts';

type Tls = NonNullable<Config['http']['tls']>;

const DAY_MS = 86_400_000;
const LEAST_DAYS = 30;
/** Validity of a new certificate, days. Systems of Apple refuse server certificates with a longer validity. */
const VALID_DAYS = 825;
/** Limit of the common name in X.509, characters. Clients read subjectAltName, so another common name does no harm. */
const MOST_COMMON_NAME = 64;

/**
 * Plans the certificate. The configured certificate, or the one in `tls/` beside the configuration, is kept if
 * `flawOf` finds no flaw and `renew` is false. Otherwise a new certificate is planned.
 */
export function certificateStep(
  { box, opening, file, renew }: { box: Box; opening: Opening; file: string; renew: boolean },
  configured: Tls | null,
): Step & { tls: Tls } {
  const folder = join(dirname(file), 'tls');
  const own: Tls = { cert_file: join(folder, 'cert.pem'), key_file: join(folder, 'key.pem') };
  const present = configured ?? (existsSync(own.cert_file) ? own : null);
  const flaw = renew ? 'of --renew' : present === null ? 'there is no certificate yet' : flawOf(present, opening);
  const title = 'certificate';
  if (present !== null && flaw === null) {
    const { validTo } = new X509Certificate(readFileSync(present.cert_file));
    const group = daemonGroup(box);
    const isOwn = present.key_file === own.key_file;
    const lines = [`${present.cert_file} is kept: it covers the box and is valid until ${validTo}`];
    if (!isOwn || isPrivate(folder, own, group)) return { title, lines, change: null, tls: present };
    lines.push('other users lose access to its key: mode 0640, in a folder of mode 0750');
    return { title, lines, change: () => changing(folder, () => protect(folder, own, group)), tls: present };
  }
  if (box.run('openssl', ['version']) === null)
    throw failed('the program openssl is missing: sudo apt install openssl, then run the same command again');
  const lines = [
    `${own.cert_file}, with its private key.pem beside it: new, because ${flaw}`,
    `for ${[...namesOf(opening), ...addressesOf(opening)].join(', ')}; valid for ${VALID_DAYS} days`,
  ];
  return { title, lines, change: () => changing(folder, () => make(box, opening, folder, own)), tls: own };
}

/** Returns the reason why consoles refuse the certificate now or within `LEAST_DAYS`; null if the certificate suits. */
function flawOf(tls: Tls, { name, addresses }: Opening): string | null {
  const problem = certificateProblem(tls);
  if (problem !== null) return problem;
  const certificate = new X509Certificate(readFileSync(tls.cert_file));
  const missing = [
    ...(certificate.checkHost(name, { subject: 'never' }) === undefined ? [name] : []),
    ...addresses.filter((address) => certificate.checkIP(address) === undefined),
  ];
  if (missing.length > 0) return `${tls.cert_file} does not cover ${missing.join(', ')}`;
  const days = Math.floor((new Date(certificate.validTo).getTime() - Date.now()) / DAY_MS);
  return days > LEAST_DAYS ? null : `${tls.cert_file} expires in ${Math.max(0, days)} days`;
}

function namesOf({ name }: Opening): string[] {
  return [...new Set([name, 'localhost'])];
}

function addressesOf({ addresses }: Opening): string[] {
  return [...addresses, '127.0.0.1', '::1'];
}

function isPrivate(folder: string, { key_file }: Tls, group: number | null): boolean {
  return [folder, key_file].every((path) => {
    const { mode, gid } = statSync(path);
    return (mode & 0o027) === 0 && (group === null || (gid === group && (mode & 0o040) !== 0));
  });
}

function protect(folder: string, { cert_file, key_file }: Tls, group: number | null): void {
  for (const [path, mode] of [
    [folder, 0o750],
    [key_file, 0o640],
    [cert_file, 0o644],
  ] as const) {
    if (group !== null) chownSync(path, 0, group);
    chmodSync(path, mode);
  }
}

/**
 * Creates certificate and key in a new folder that only this user can enter, and moves the files to their place when
 * they are complete. Earlier files are kept with the suffix `.before-open-network`.
 */
function make(box: Box, opening: Opening, folder: string, { cert_file, key_file }: Tls): void {
  const umask = process.umask(0o077);
  let part: string | null = null;
  try {
    mkdirSync(folder, { recursive: true });
    // A symbolic link could point to a folder of another user, whose files root would overwrite.
    if (!lstatSync(folder).isDirectory()) throw failed(`${folder} must be a folder, not a link to one`);
    part = mkdtempSync(join(folder, '.new-'));
    const made: Tls = { cert_file: join(part, 'cert.pem'), key_file: join(part, 'key.pem') };
    const ran = box.run('openssl', opensslArguments(opening, made));
    if (ran?.code !== 0)
      throw failed(`openssl did not create the certificate: ${ran?.err.trim() ?? 'the program is missing'}`);
    const group = daemonGroup(box);
    protect(part, made, group);
    for (const path of [made.key_file, made.cert_file]) syncPath(path);
    for (const path of [key_file, cert_file]) if (existsSync(path)) renameSync(path, `${path}.before-open-network`);
    renameSync(made.key_file, key_file);
    renameSync(made.cert_file, cert_file);
    protect(folder, { cert_file, key_file }, group);
    syncPath(folder);
  } finally {
    process.umask(umask);
    if (part !== null) rmSync(part, { recursive: true, force: true });
  }
}

function opensslArguments(opening: Opening, { cert_file, key_file }: Tls): string[] {
  const names = namesOf(opening).map((name) => `DNS:${name}`);
  const addresses = addressesOf(opening).map((address) => `IP:${address}`);
  const common = opening.name.length <= MOST_COMMON_NAME ? opening.name : 'dunlin';
  return [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'],
    ...['-days', String(VALID_DAYS), '-subj', `/CN=${common}`],
    ...['-addext', `subjectAltName=${[...names, ...addresses].join(',')}`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'extendedKeyUsage=serverAuth'],
    ...['-keyout', key_file, '-out', cert_file],
  ];
}
