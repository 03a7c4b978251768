import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, lutimesSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Arch } from './arch.ts';
import { write } from './write.ts';

const scripts = ['preinst', 'postinst', 'prerm', 'postrm', 'templates'] as const;
/** Files that a person may change: an upgrade keeps them. */
const conffiles = ['/etc/dunlin/dunlin.yaml'];

/** Packs a staged tree; the answer is the path of the package. */
export function makeDeb(root: string, { arch, epoch }: { arch: Arch; epoch: number }): string {
  const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
  const files = filesOf(root);
  const kib = Math.ceil(files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0) / 1_024);
  const debian = join(root, 'DEBIAN');
  mkdirSync(debian, { recursive: true });
  write(join(debian, 'control'), controlOf({ version, arch, kib }));
  write(join(debian, 'conffiles'), conffiles.map((path) => `${path}\n`).join(''));
  const sums = files.map(
    (file) =>
      `${createHash('md5')
        .update(readFileSync(join(root, file)))
        .digest('hex')}  ${file}\n`,
  );
  write(join(debian, 'md5sums'), sums.join(''));
  for (const name of scripts) {
    cpSync(`systemd/debian/${name}`, join(debian, name));
    chmodSync(join(debian, name), name === 'templates' ? 0o644 : 0o755);
  }
  for (const entry of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
    lutimesSync(join(root, entry), epoch, epoch);
  const deb = `build/dunlin_${version}_${arch}.deb`;
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, deb], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return deb;
}

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

function controlOf({ version, arch, kib }: { version: string; arch: Arch; kib: number }): string {
  return `${[
    'Package: dunlin',
    `Version: ${version}`,
    `Architecture: ${arch}`,
    'Maintainer: The Dunlin authors <dunlin@localhost>',
    `Installed-Size: ${kib}`,
    'Depends: libc6 (>= 2.36), libstdc++6 (>= 12), debconf (>= 0.5) | debconf-2.0, systemd',
    // Not recommended: apt would look for them on a box that has no network, and fail.
    'Suggests: openssl, nftables, jq, udev',
    'Section: science',
    'Priority: optional',
    'Description: command and control service of a drone detection system',
    ' Dunlin reads Remote ID, ADS-B, radar and other sensors, tracks and scores what flies,',
    ' raises alerts, and serves the picture to consoles of a local network. It observes and',
    ' escorts, and has no effectors. The package brings its own Node.js.',
  ].join('\n')}\n`;
}
