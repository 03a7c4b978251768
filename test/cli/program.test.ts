import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { isFull } from '../support/basics/size.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { runToEnd } from '../support/daemon/program.ts';

// Other tests call commands in their own process; here the program itself is started, as a shell does.

const names = [
  'serve',
  'watch',
  'replay',
  'sim',
  'track',
  'user',
  'key',
  'audit',
  'backup',
  'restore',
  'doctor',
  'open-network',
  'health',
  'log-level',
  'support-bundle',
  'check-config',
];
/** Runs a command as a process; on most days in the process of the test, where another of its kind is a process. */
const runOften = (t: Test, args: readonly string[]): Promise<Awaited<ReturnType<typeof dunlin>>> =>
  isFull ? runToEnd(t, args) : dunlin(t, ...args);

/** Started as processes on each day; the test below starts five more. */
const ownProcess = new Set(['serve', 'replay', 'open-network']);

t.test('each command of the program explains itself on standard output', async (t) => {
  const { code, out, err } = await runToEnd(t, ['--help']);
  t.match({ code, err }, { code: 0, err: '' });
  for (const name of names) {
    t.match(out, `\n  ${name}`);
    const run = ownProcess.has(name) ? runToEnd : runOften;
    const said = await run(t, [name, '--help']);
    t.match(said, { code: 0, out: `Usage: dunlin ${name}`, err: '' });
  }
  t.match(await runToEnd(t, ['version']), { code: 0, out: /^dunlin \d/, err: '' });
});

t.test('the program reads a password, keeps what it does, and its exit code tells', async (t) => {
  const folder = folderOf(t);
  const data = ['--data', join(folder, 'data')];
  const add = ['user', 'add', 'anna', '--role', 'owner', ...data];
  t.match(await runToEnd(t, add, { input: 'short\n' }), { code: 1, out: '', err: /at least 12/ });
  t.match(await runToEnd(t, add, { input: 'a long enough password\n' }), { code: 0, out: /anna may sign in as owner/ });
  const backup = join(folder, 'backup');
  t.match(await runToEnd(t, ['audit', 'verify', ...data]), { code: 0, out: /^ok: 1 audit row/ });
  t.match(await runOften(t, ['backup', backup, ...data]), { code: 0, out: /^ok: / });
  t.match(await runOften(t, ['restore', backup, ...data]), { code: 0, out: /^ok: / });
  t.ok(existsSync(join(folder, 'data', 'state.db')));
  const doctor = await runToEnd(t, ['doctor', '--json', ...data, '--listen', '127.0.0.1:0']);
  t.match(JSON.parse(doctor.out), { findings: [] }, doctor.err);
  t.match(await runToEnd(t, ['sevre']), { code: 2, out: '', err: /Did you mean 'serve'/ });
  t.match(await runOften(t, []), { code: 2, out: '', err: /Usage: dunlin COMMAND/ });
});
