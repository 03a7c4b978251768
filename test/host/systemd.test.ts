import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { secretKeyOf } from '../../src/cli/doctor/box_checks.ts';
import { inTree } from './root.ts';

const unit = inTree('systemd/dunlin.service');

function has(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

const without = (command: string): { skip: string | false } => ({
  skip: has(command) ? false : `${command} is not installed`,
});

for (const [name, most] of [
  ['dunlin.service', 1.5],
  ['dunlin-radio@.service', 2],
  ['dunlin-bluetooth@.service', 2],
] as const) {
  t.test(`${name} leaves little of the box exposed`, without('systemd-analyze'), async (t) => {
    const words = ['security', '--offline=true', inTree(`systemd/${name}`)];
    const run = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(run.stdout + run.stderr)?.[1];
    if (exposure === undefined)
      t.pass('exposure', { skip: `systemd-analyze cannot judge a unit here: ${run.stderr.trim()}` });
    else t.ok(Number(exposure) <= most, `exposure ${exposure}`);
  });
}

t.test('the radio gets two rights and no more, and its socket is for the daemon', async (t) => {
  const service = readFileSync(inTree('systemd/dunlin-radio@.service'), 'utf8');
  for (const key of ['AmbientCapabilities', 'CapabilityBoundingSet'])
    t.match(service, new RegExp(`^${key}=CAP_NET_RAW CAP_NET_ADMIN$`, 'm'));
  for (const line of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'Restart=always', 'RestartPreventExitStatus=2 78'])
    t.match(service, new RegExp(`^${line}$`, 'm'));
  const socket = readFileSync(inTree('systemd/dunlin-radio@.socket'), 'utf8');
  for (const line of ['ListenStream=/run/dunlin-radio/%i.sock', 'SocketMode=0660', 'SocketGroup=dunlin'])
    t.match(socket, new RegExp(`^${line}$`, 'm'));
});

t.test('the unit of a Bluetooth adapter is that of Wi-Fi with one right and another kind of socket', async (t) => {
  const [wifi, bluetooth] = ['dunlin-radio@', 'dunlin-bluetooth@'].map((name) =>
    (['service', 'socket'] as const).map((kind) => readFileSync(inTree(`systemd/${name}.${kind}`), 'utf8')),
  ) as [string[], string[]];
  const settings = (text: string | undefined) => (text ?? '').split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  const other = (of: string[], than: string[]) =>
    [0, 1].flatMap((at) => settings(of[at]).filter((line) => !settings(than[at]).includes(line)));
  const device = 'sys-subsystem-bluetooth-devices-%i.device';
  const bound = [`BindsTo=${device}`, `After=${device}`];
  t.same(other(bluetooth, wifi), [
    ...["Description=Dunlin's Bluetooth radio %i", 'Requires=dunlin-bluetooth@%i.socket', ...bound],
    ...['ExecStart=/usr/lib/dunlin/bin/dunlin-radio %i', 'RestartPreventExitStatus=2'],
    ...['AmbientCapabilities=CAP_NET_ADMIN', 'CapabilityBoundingSet=CAP_NET_ADMIN', 'TasksMax=2'],
    'RestrictAddressFamilies=AF_UNIX AF_BLUETOOTH',
    ...["Description=Socket of Dunlin's Bluetooth radio %i", ...bound, `WantedBy=${device}`],
  ]);
  t.equal(other(wifi, bluetooth).length, other(bluetooth, wifi).length, 'nothing is left out');
});

t.test('systemd understands every line of the unit', without('systemd-analyze'), async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const verify = (name: string, text: string) => {
    // The program of the unit is not installed here; its arguments are not looked at.
    writeFileSync(join(folder, name), text.replace('/usr/bin/node', process.execPath));
    const run = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], { encoding: 'utf8' });
    return run.stderr.split('\n').filter((line) => line.includes(name));
  };
  const text = readFileSync(unit, 'utf8');
  const broken = verify('broken.service', text.replace('WatchdogSec=20', 'WatchDogSecs=20'));
  if (broken.length === 0) {
    t.pass('verified', { skip: 'systemd-analyze verify finds nothing here, not even a misspelt key' });
    return;
  }
  t.match(broken[0], 'WatchDogSecs');
  // The package brings the program that the unit starts.
  t.same(verify('dunlin.service', text.replace('/usr/lib/dunlin/bin/node', process.execPath)), []);
});

t.test('systemd-sysusers understands the user', without('systemd-sysusers'), async (t) => {
  const run = spawnSync('systemd-sysusers', ['--dry-run', inTree('systemd/dunlin.sysusers')], { encoding: 'utf8' });
  t.equal(run.status, 0, run.stderr);
});

t.test('the unit stops, watches and exits as the daemon does', async (t) => {
  const text = readFileSync(unit, 'utf8');
  const value = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
  t.ok(Number(value('TimeoutStopSec')) > 8, 'the orderly stop has its 8 s');
  t.equal(value('Type'), 'notify');
  t.equal(value('RestartPreventExitStatus'), '2 65 78');
  t.match(value('ExecStart'), 'build/dist/main.js serve --config /etc/dunlin/dunlin.yaml');
  t.equal(value('MemoryDenyWriteExecute'), undefined, 'V8 dies of it');
});

t.test('the daemon reads no file of /proc that its unit hides', async (t) => {
  t.match(readFileSync(unit, 'utf8'), /^ProcSubset=pid$/m);
  t.match(readFileSync(unit, 'utf8'), /^Environment=DUNLIN_BOOT_ID=%b$/m, 'instead of the boot id of the kernel');
  const folder = inTree('src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  // The doctor runs outside the unit.
  const own = sources.filter((name) => !name.startsWith('cli/doctor/') && name !== 'access/boot.ts');
  t.ok(own.length > 300);
  const hidden = own.filter((name) => /['"`]\/proc\/(?!self\/)/.test(readFileSync(join(folder, name), 'utf8')));
  t.same(hidden, []);
});

t.test('drivers of serial adapters are there before the unit says which devices it may open', async (t) => {
  const text = readFileSync(unit, 'utf8');
  for (const [device, driver] of [
    ['ttyUSB', 'usbserial'],
    ['ttyACM', 'cdc_acm'],
  ]) {
    t.match(text, new RegExp(`^DeviceAllow=char-${device} rw$`, 'm'));
    for (const key of ['Wants', 'After'])
      t.match(text, new RegExp(`^${key}=.*\\bmodprobe@${driver}\\.service\\b`, 'm'), `${key} ${driver}`);
  }
});

t.test('the doctor finds the key that the drop-in hands the daemon', async (t) => {
  const example = readFileSync(inTree('systemd/dunlin.service.d/secret-key.conf.example'), 'utf8');
  t.equal(secretKeyOf(`${readFileSync(unit, 'utf8')}\n# /etc/systemd/x.conf\n${example}`), '/etc/dunlin/secret_key');
  t.equal(secretKeyOf(readFileSync(unit, 'utf8')), null);
  t.equal(secretKeyOf('LoadCredential=secret_key:/a\n LoadCredentialEncrypted = secret_key:/b \n'), '/b', 'the last');
  t.equal(secretKeyOf('LoadCredential=secret_key:/a\nLoadCredential=other:/c'), '/a');
  t.equal(secretKeyOf('LoadCredential=secret_key:/a\nLoadCredential=\n'), null, 'taken back');
  t.equal(secretKeyOf('Environment="DUNLIN_SECRET_KEY_FILE=/d"\n'), '/d');
  t.equal(secretKeyOf('#LoadCredential=secret_key:/a'), null);
});

t.test('the backup is made of the data, into a folder of its own that the unit may write', async (t) => {
  const text = readFileSync(inTree('systemd/dunlin-backup.service'), 'utf8');
  t.match(text, /^ExecStart=.* backup \/var\/lib\/dunlin-backups --data \/var\/lib\/dunlin --keep 7$/m);
  t.match(text, /^StateDirectory=dunlin dunlin-backups$/m);
  t.match(text, /^User=dunlin$/m);
  t.match(readFileSync(inTree('systemd/dunlin-backup.timer'), 'utf8'), /^OnCalendar=/m);
});

t.test('each device the rules name stands under /dev/dunlin', async (t) => {
  const rules = readFileSync(inTree('systemd/71-dunlin.rules.example'), 'utf8').replace(/^#SUBSYSTEM/gm, 'SUBSYSTEM');
  const lines = rules.split('\n').filter((line) => line.startsWith('SUBSYSTEM'));
  t.equal(lines.length, 3);
  for (const line of lines) {
    t.match(line, /^SUBSYSTEM=="tty"(, ENV\{[A-Z_]+\}=="[^"]+")+, SYMLINK\+="dunlin\/[a-z]+"$/);
  }
  t.ok(existsSync(inTree('systemd/dunlin.tmpfiles')));
});
