import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Arch, archs } from './arch.ts';
import { beside } from './beside.ts';
import { completionOf } from './completion.ts';
import { copyrightOf, noticeOf, packagesInside, sbomOf } from './licences.ts';
import type { Natives } from './natives.ts';
import { stagePages } from './pages.ts';
import type { Runtime } from './runtime.ts';
import { write } from './write.ts';

export type Parts = { arch: Arch; runtime: Runtime; natives: Natives; epoch: number };

const LIB = 'usr/lib/dunlin';
const DOC = 'usr/share/doc/dunlin';
const units = [
  'dunlin.service',
  'dunlin-backup.service',
  'dunlin-backup.timer',
  'dunlin-radio@.socket',
  'dunlin-radio@.service',
  'dunlin-bluetooth@.socket',
  'dunlin-bluetooth@.service',
];

/** Lays the files of the package below `root`, as they will lie below `/`. */
export function stageTree(root: string, { arch, runtime, natives, epoch }: Parts): void {
  const lib = (path: string): string => join(root, LIB, path);
  const copy = (from: string, to: string): void =>
    cpSync(from, to, {
      recursive: true,
      filter: (path) => !/\.(?:map|d\.ts)$/.test(path) || path.includes('/dist/main'),
    });
  for (const folder of ['build/dist', 'build/geoid', 'build/console', 'config/scenarios']) copy(folder, lib(folder));
  copy('package.json', lib('package.json'));
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  write(lib('build/BUILD'), commit);
  copy('config/dunlin.yaml', lib('config/dunlin.yaml'));
  copy(natives.addon, lib('native/build/Release/dunlin.node'));
  copy(natives.radio, lib('bin/dunlin-radio'));
  for (const [name, filesOf] of Object.entries(beside))
    for (const file of filesOf(arch)) copy(join('node_modules', name, file), lib(join('node_modules', name, file)));
  copy(natives.sqlite, lib('node_modules/better-sqlite3/build/Release/better_sqlite3.node'));
  copy(join(runtime.folder, 'bin/node'), lib('bin/node'));
  execFileSync(`${archs[arch].tools}strip`, ['--strip-unneeded', lib('bin/node')]);
  for (const script of ['rollback', 'upgrade']) copy(`systemd/debian/${script}`, lib(`package/${script}`));

  copy('systemd/debian/dunlin', join(root, 'usr/bin/dunlin'));
  for (const unit of units) copy(`systemd/${unit}`, join(root, 'usr/lib/systemd/system', unit));
  copy('systemd/dunlin.sysusers', join(root, 'usr/lib/sysusers.d/dunlin.conf'));
  copy('systemd/dunlin.tmpfiles', join(root, 'usr/lib/tmpfiles.d/dunlin.conf'));
  copy('config/dunlin.field.yaml', join(root, 'etc/dunlin/dunlin.yaml'));
  copy('systemd/71-dunlin.rules.example', join(root, DOC, 'examples/71-dunlin.rules'));
  copy('systemd/dunlin.service.d/secret-key.conf.example', join(root, DOC, 'examples/secret-key.conf'));
  copy('systemd/radio.conf.example', join(root, DOC, 'examples/radio.conf'));
  stagePages(join(root, DOC));
  const packages = packagesInside(runtime);
  write(join(root, DOC, 'copyright'), copyrightOf());
  write(join(root, DOC, 'NOTICE'), noticeOf(packages));
  write(join(root, DOC, 'sbom.cdx.json'), sbomOf(packages, epoch));
  gzipped(join(root, DOC, 'changelog.gz'), readFileSync('CHANGELOG.md', 'utf8'));
  gzipped(join(root, 'usr/share/man/man1/dunlin.1.gz'), readFileSync('systemd/debian/dunlin.1', 'utf8'));
  write(join(root, 'usr/share/bash-completion/completions/dunlin'), completionOf());
  settle(root);
}

/** Compressed without the time and the operating system of this machine. */
function gzipped(path: string, text: string): void {
  const bytes = gzipSync(text, { level: 9 });
  bytes[9] = 3;
  write(path, bytes);
}

/** Modes that do not depend on the umask of the machine that builds. */
function settle(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else chmodSync(path, /\/(?:bin\/(?:node|dunlin|dunlin-radio)|package\/\w+)$/.test(path) ? 0o755 : 0o644);
  }
}
