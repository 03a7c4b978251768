import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { inTree } from './root.ts';

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/**
 * A box in a folder: the real script, between an old program and a new one that answer as the daemon does. `serves` of a
 * program is the shell text of its start: its exit code is that of a daemon that did not start.
 */
function box(t: Test, { old = 'exit 0', renewed = 'exit 0', health = 'ok', state = 'active' } = {}) {
  const root = folderOf(t);
  const at = (...path: string[]): string => join(root, ...path);
  const program = (lib: string, version: string, serves: string): void => {
    write(join(lib, 'version'), version);
    write(join(lib, 'serves'), `cd ${root}\n${serves}\n`);
    const data = at('var/lib/dunlin');
    const restores = `[ ! -e ${at('unrestorable')} ] || exit 1; mv ${data} ${data}.before-restore-1; cp -a "$2" ${data}`;
    write(
      join(lib, 'bin/node'),
      `#!/bin/sh\nshift\ncase "$1" in version) echo "dunlin ${version} (test)" ;; health) echo '${health}' ;; restore) ${restores} ;; esac\n`,
      0o755,
    );
  };
  const lib = at('usr/lib/dunlin');
  program(`${lib}.previous`, '1.0', old);
  program(lib, '1.1', renewed);
  write(`${lib}.previous/kept/dunlin.service`, 'unit 1.0');
  write(`${lib}.previous/kept/dunlin.yaml`, 'settings 1.0');
  write(at('usr/lib/systemd/system/dunlin.service'), 'unit 1.1');
  write(at('etc/dunlin/dunlin.yaml'), 'settings 1.1');
  write(at('var/lib/dunlin/state.db'), 'new data');
  write(at('var/lib/dunlin-backups/before-upgrade/state.db'), 'old data');
  write(at('ActiveState'), state);
  const start = `sh ${lib}/serves; code=$?; echo $code >ExecMainStatus; if [ $code = 0 ]; then echo active >ActiveState; else echo failed >ActiveState; exit 1; fi`;
  const systemctl = [
    'case "$1" in',
    `  start) ${start} ;;`,
    '  stop) [ "$(cat ActiveState)" = failed ] || echo inactive >ActiveState ;;',
    '  show) cat "$(echo "$3" | cut -d = -f 2)" 2>/dev/null ;;',
    'esac',
  ];
  write(at('bin/systemctl'), `#!/bin/sh\ncd ${root}\n${systemctl.join('\n')}\n`, 0o755);
  write(at('bin/id'), '#!/bin/sh\necho 0\n', 0o755);
  write(at('bin/chown'), '#!/bin/sh\n', 0o755);
  const run = (...args: string[]) => {
    const env = { PATH: `${at('bin')}:/usr/sbin:/usr/bin:/sbin:/bin`, DUNLIN_ROOT: root };
    const { status, stderr } = spawnSync('sh', [inTree('systemd/debian/rollback'), ...args], { env, encoding: 'utf8' });
    return { status, stderr };
  };
  const text = (path: string): string => readFileSync(at(path), 'utf8').trim();
  const stands = () => ({
    version: text('usr/lib/dunlin/version'),
    unit: text('usr/lib/systemd/system/dunlin.service'),
    settings: text('etc/dunlin/dunlin.yaml'),
    data: text('var/lib/dunlin/state.db'),
    state: text('ActiveState'),
    programs: readdirSync(at('usr/lib'))
      .filter((name) => name.startsWith('dunlin'))
      .sort(),
  });
  return { root, lib, at, run, stands };
}

const before = { version: '1.0', unit: 'unit 1.0', settings: 'settings 1.1', data: 'new data', state: 'active' };
const unchanged = {
  ...{ version: '1.1', unit: 'unit 1.1', settings: 'settings 1.1', data: 'new data', state: 'active' },
  programs: ['dunlin', 'dunlin.previous'],
};

t.test('program and units of before the upgrade are put back, and data that it can read stay', async (t) => {
  const { run, stands, at } = box(t);
  t.match(run(), { status: 0, stderr: /dunlin 1\.0 runs again/ });
  t.same(stands(), { ...before, programs: ['dunlin'] });
  t.notOk(existsSync(at('usr/lib/dunlin/kept')));
  t.match(run(), { status: 1, stderr: /no version before the last upgrade/ });
});

t.test('the backup is restored for data of a newer version, and for no other failed start', async (t) => {
  const newer = box(t, { old: 'grep -q new var/lib/dunlin/state.db && exit 65; exit 0' });
  t.match(newer.run(), { status: 0, stderr: /the backup of the upgrade is restored.*1\.0 runs again/s });
  t.same(newer.stands(), { ...before, data: 'old data', programs: ['dunlin'] });
  t.equal(readFileSync(newer.at('var/lib/dunlin.before-restore-1/state.db'), 'utf8'), 'new data', 'nothing is lost');

  for (const code of [1, 2, 9, 70]) {
    const other = box(t, { old: `exit ${code}` });
    t.match(other.run(), { status: 1, stderr: /1\.0 \(?.*does not start: journalctl.*1\.1 .*is put back/s }, `${code}`);
    t.same(other.stands(), unchanged);
    t.match(other.run(), { status: 1 }, 'and can be tried again');
    t.same(other.stands(), unchanged);
  }
});

t.test('settings that the version before refuses give way to those of before the upgrade', async (t) => {
  const refuses = box(t, { old: 'grep -q 1.1 etc/dunlin/dunlin.yaml && exit 78; exit 0' });
  t.match(refuses.run(), { status: 0, stderr: /refuses the present settings/ });
  t.same(refuses.stands(), { ...before, settings: 'settings 1.0', programs: ['dunlin'] });
  t.equal(readFileSync(refuses.at('etc/dunlin/dunlin.yaml.replaced'), 'utf8'), 'settings 1.1');
  const bad = box(t, { old: 'exit 78' });
  t.match(bad.run(), { status: 1, stderr: /is put back/ });
  t.same(bad.stands(), unchanged);
  t.notOk(existsSync(bad.at('etc/dunlin/dunlin.yaml.replaced')));
});

t.test('a restore that fails, or lacks its backup, changes nothing', async (t) => {
  const fails = box(t, { old: 'exit 65' });
  write(fails.at('unrestorable'), '');
  t.match(fails.run(), { status: 1, stderr: /1\.1 .*is put back/ });
  t.same(fails.stands(), unchanged);
  const lacks = box(t, { old: 'exit 65' });
  rmSync(lacks.at('var/lib/dunlin-backups/before-upgrade'), { recursive: true });
  t.match(lacks.run(), { status: 1, stderr: /there is no backup of the upgrade/ });
  t.same(lacks.stands(), unchanged);
});

t.test('after a power cut the next rollback goes on', async (t) => {
  const serves = 'grep -q new var/lib/dunlin/state.db && exit 65; exit 0';
  const between = box(t, { old: serves });
  renameSync(between.lib, `${between.lib}.replaced`);
  t.match(between.run(), { status: 0, stderr: /1\.0 .*runs again/ }, 'between the two renames');
  t.same(between.stands(), { ...before, data: 'old data', programs: ['dunlin'] });
  for (const part of [false, true]) {
    const later = box(t, { old: part ? `test -e parted && ${serves}` : serves });
    renameSync(later.lib, `${later.lib}.replaced`);
    renameSync(`${later.lib}.previous`, later.lib);
    write(later.at('usr/lib/systemd/system/dunlin.service'), 'unit 1.0');
    write(later.at('parted'), '');
    if (part) write(later.at('var/lib/dunlin.restore-part/state.db'), 'half');
    t.match(later.run(), { status: 0, stderr: /interrupted goes on.*1\.0 .*runs again/s });
    t.same(later.stands(), { ...before, data: 'old data', programs: ['dunlin'] });
  }
});

t.test('a service that a person stopped stays stopped, and one that is masked is not touched', async (t) => {
  const stopped = box(t, { state: 'inactive' });
  t.match(stopped.run(), { status: 0, stderr: /1\.0 .*is put back\. The service did not run before/ });
  t.same(stopped.stands(), { ...before, state: 'inactive', programs: ['dunlin'] });
  const masked = box(t);
  write(masked.at('LoadState'), 'masked');
  t.match(masked.run(), { status: 1, stderr: /is masked: sudo systemctl unmask/ });
  t.same(masked.stands(), unchanged);
});

t.test('after an upgrade that failed, the version before stays, also if it does not start yet', async (t) => {
  const fails = box(t, { old: 'test -e mended || exit 1', state: 'failed' });
  t.match(fails.run('--unattended'), { status: 1, stderr: /1\.0 .*does not start/ });
  t.match(fails.stands(), { version: '1.0', unit: 'unit 1.0', data: 'new data' });
  write(fails.at('mended'), '');
  t.match(fails.run(), { status: 0, stderr: /goes on.*1\.0 .*runs again/s });
});

t.test('data that no version can read are restored after an upgrade, and left to a person later', async (t) => {
  const health = 'not healthy: state (state.db is damaged)';
  const upgraded = box(t, { health, state: 'failed' });
  t.match(upgraded.run('--unattended'), { stderr: /the backup of the upgrade is restored/ });
  t.match(upgraded.stands(), { version: '1.0', data: 'old data' });
  const later = box(t, { health });
  t.match(later.run(), { status: 1, stderr: /1\.0 .*runs in recovery.*dunlin doctor/s });
  t.same(later.stands(), { ...before, programs: ['dunlin'] });
});

t.test('wrong use is said', async (t) => {
  const { run, stands } = box(t);
  t.match(run('now'), { status: 2, stderr: /takes no arguments/ });
  t.match(run('--help'), { status: 0 });
  t.same(stands(), unchanged);
});
