import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { inTree } from './root.ts';

const noDpkg = spawnSync('dpkg-deb', ['--version']).error ? 'dpkg is not installed here' : false;

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/**
 * An installed package in a folder: the real script, over programs that note how they were called and answer as a box does.
 * `installs` is what `dpkg --install` does, `health` what the daemon then says.
 */
function installed(
  t: Test,
  { user = 0, installs = 'exit 0', health = 'exit 0', active = 'exit 0', starts = 'echo 7; echo 0' } = {},
) {
  const folder = folderOf(t);
  const [lib, bin, calls] = [join(folder, 'lib'), join(folder, 'bin'), join(folder, 'calls')];
  for (const path of [join(lib, 'package'), join(lib, 'bin'), bin]) mkdirSync(path, { recursive: true });
  copyFileSync(inTree('systemd/debian/upgrade'), join(lib, 'package/upgrade'));
  program(join(lib, 'package/rollback'), `echo rollback "$@" >>${calls}`);
  program(
    join(lib, 'bin/node'),
    `shift; case "$1" in version) echo "dunlin 1.2.0 (test)" ;; health) ${health} ;; esac`,
  );
  program(join(bin, 'id'), `echo ${user}`);
  program(join(bin, 'apt-get'), 'exit 0');
  program(
    join(bin, 'systemctl'),
    `case "$1 $3" in is-active*) ${active} ;; *ActiveState) if (${active}); then echo active; else echo inactive; fi ;; show*) ${starts} ;; esac`,
  );
  program(
    join(bin, 'dpkg'),
    `case "$1" in --install) echo "install $*" >>${calls}; ${installs} ;; *) exec /usr/bin/dpkg "$@" ;; esac`,
  );
  const run = (...args: string[]) => {
    const env = { PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`, DUNLIN_STEADY_S: '0' };
    const { status, stderr } = spawnSync('sh', [join(lib, 'package/upgrade'), ...args], { env, encoding: 'utf8' });
    const called = existsSync(calls) ? readFileSync(calls, 'utf8') : '';
    return { status, stderr, called };
  };
  return { folder, run };
}

const own = noDpkg ? '' : execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();

function packageOf(folder: string, { name = 'dunlin', version = '1.3.0', arch = own } = {}): string {
  const tree = join(folder, `${name}-${version}-${arch}`);
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
  const fields = [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${arch}`,
    'Maintainer: a <a@b>',
    'Description: x',
  ];
  writeFileSync(join(tree, 'DEBIAN/control'), `${fields.join('\n')}\n`);
  writeFileSync(join(tree, 'content'), 'x'.repeat(10_000));
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', tree, `${tree}.deb`], { stdio: 'ignore' });
  return `${tree}.deb`;
}

t.test(
  'a package that does not fit is refused with a sentence, and nothing is changed',
  { skip: noDpkg },
  async (t) => {
    const { folder, run } = installed(t);
    const damaged = packageOf(folder, { version: '1.4.0' });
    const bytes = readFileSync(damaged);
    bytes.fill(0, bytes.length - 60, bytes.length - 20);
    writeFileSync(damaged, bytes);
    const other = own === 'arm64' ? 'amd64' : 'arm64';
    const text = join(folder, 'text');
    writeFileSync(text, 'no package');
    for (const [args, says] of [
      [[], /takes one file/],
      [[join(folder, 'absent.deb')], /takes one file/],
      [[text], /no package of Dunlin/],
      [[packageOf(folder, { name: 'other' })], /no package of Dunlin/],
      [[damaged], /is damaged: copy it again/],
      [[packageOf(folder, { arch: other })], new RegExp(`is for ${other}, and this box is ${own}`)],
      [[packageOf(folder, { version: '1.1.9' })], /has version 1\.1\.9, and 1\.2\.0 runs: --allow-older/],
      [[packageOf(folder, { version: '1.2.0' })], /has version 1\.2\.0, and 1\.2\.0 runs/],
      [[packageOf(folder), '--force'], /takes one file/],
    ] as const)
      t.match(run(...args), { status: 2, stderr: says, called: '' }, String(says));
    const nobody = installed(t, { user: 1_000 });
    t.match(nobody.run(packageOf(nobody.folder)), { status: 2, stderr: /needs root: sudo dunlin upgrade/, called: '' });
  },
);

t.test('a newer package is installed, and an older one where that is allowed', { skip: noDpkg }, async (t) => {
  const { folder, run } = installed(t);
  t.match(run(packageOf(folder)), {
    status: 0,
    stderr: /1\.3\.0 runs and is healthy/,
    called: /^install --install --force-confold .*1\.3\.0/,
  });
  t.match(run('--allow-older', packageOf(folder, { version: '1.1.9' })), {
    status: 0,
    stderr: /1\.1\.9 is installed over 1\.2\.0/,
  });
  const ill = installed(t, { health: 'echo "not healthy: sensors (mast silent)"; exit 3' });
  t.match(
    ill.run(packageOf(ill.folder)),
    { status: 0, stderr: /1\.3\.0 runs\. not healthy: sensors/ },
    'a silent sensor rolls nothing back',
  );
  t.notMatch(readFileSync(join(ill.folder, 'calls'), 'utf8'), /rollback/);
  const stopped = installed(t, { active: 'exit 3' });
  t.match(stopped.run(packageOf(stopped.folder)), { status: 0, stderr: /did not run before/ });
});

t.test('a version that ends, restarts or cannot read its data is rolled back', { skip: noDpkg }, async (t) => {
  const failed = installed(t, { installs: 'exit 1' });
  t.match(failed.run(packageOf(failed.folder)), {
    status: 1,
    stderr: /the upgrade to 1\.3\.0 failed\. dunlin 1\.2\.0 \(test\) runs/,
    called: /^install [^\n]*\n$/,
  });
  const lost = installed(t, { health: 'echo "not healthy: state (state.db is damaged)"; exit 3' });
  t.match(lost.run(packageOf(lost.folder)), {
    status: 1,
    stderr: /cannot read the data/,
    called: /\nrollback --unattended\n$/,
  });
  const restarts = installed(t, { starts: 'date +%s%N' });
  t.match(restarts.run(packageOf(restarts.folder)), {
    status: 1,
    stderr: /was restarted/,
    called: /\nrollback --unattended\n$/,
  });
});
