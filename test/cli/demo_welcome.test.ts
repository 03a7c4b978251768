import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { mainScript, plainNode } from '../support/daemon/program.ts';

takeTime(t, 120);

t.test('the demonstration says what to look at, and what it says comes true', async (t) => {
  const [command = process.execPath, ...prefix] = plainNode;
  const args = [...prefix, mainScript, 'serve', '--demo', '--data', folderOf(t), '--listen', '127.0.0.1:0'];
  const env = { ...process.env, DUNLIN_CONFIG: '/dev/null', DUNLIN_BY_HAND: '1' };
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  t.teardown(async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until(async () => /back to the live world/.test(said), 'the welcome is printed', 60_000);
  const url = /Dunlin serves (\S+)/.exec(said)?.[1] ?? '';
  const commands = [...said.matchAll(/^ +(?:.* {2,})?(node .* watch --url (\S+))$/gm)];
  t.equal(commands.length, 2, 'the way to watch is named');
  t.ok(commands.every(([, , at]) => at === url));
  const seen = await until(
    async () => {
      const { out } = await dunlin(t, 'watch', '--once', '--url', url);
      return /THREAT {3}T-\d+.*: (high|critical)/.test(out) && /ALERT .*in Depot surroundings/.test(out) ? out : null;
    },
    'the intruder is a threat, with an alert',
    60_000,
  );
  t.match(seen, /WORLD {4}a SIMULATION is shown/);
  for (const route of ['threats', 'alerts', 'engagement']) {
    t.match(said, `curl -s ${url}/api/${route}`);
    t.equal((await fetch(`${url}/api/${route}`)).status, 200);
  }
});
