import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { takeTime } from '../support/basics/patience.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { mainScript, plainNode } from '../support/daemon/program.ts';
import { tracksOf } from '../support/daemon/watch.ts';

takeTime(t, 120);

const text = readFileSync('docs/use/links.md', 'utf8') + readFileSync('docs/use/captures.md', 'utf8');
const readme = readFileSync('README.md', 'utf8');

/** Commands of a section of the README: indented blocks, without the answers, which begin with a brace. */
function blocksOf(title: string): string[] {
  const section = readme.split(`\n## ${title}\n`)[1]?.split('\n## ')[0];
  const blocks = section?.match(/(?:^ {4}.*\n)+/gm);
  if (!blocks) throw new Error(`the README has no section '${title}' with commands`);
  return blocks.filter((block) => !block.startsWith('    {') && !block.includes('/api/stream'));
}

/** Runs a command that must succeed, while the daemon of this process answers. */
const bash = (command: string) => promisify(execFile)('bash', ['-c', command]);

/** The daemon of the page, on free ports; answers the port here by the port of the page. */
async function daemonOfThePage(t: Test): Promise<{ daemon: Daemon; ports: Map<string, number> }> {
  const links = [...text.matchAll(/--link (name=(\w+),transport=\w+,address=127\.0\.0\.1):(1455\d)(,protocol=\w+)/g)];
  const declared = new Map(links.map(([, head, name, port, tail]) => [name ?? '', { head, port: port ?? '', tail }]));
  const args = [...declared.values()].flatMap(({ head, tail }) => ['--link', `${head}:0${tail}`]);
  const daemon = await startDaemon(t, { args });
  const ports = new Map<string, number>();
  for (const [name, { port }] of declared) ports.set(port, await daemon.port(name));
  return { daemon, ports };
}

t.test('each line of the page makes a track, and places the box', async (t) => {
  const { daemon, ports } = await daemonOfThePage(t);
  await daemon.post('/api/sensors', { name: 'tower', modality: 'human' });
  const commands = text.match(/^printf '.* > \/dev\/(?:udp|tcp)\/.*$/gm) ?? [];
  t.equal(commands.length, 4);
  for (const command of commands) {
    const here = command.replace(/\d+$/, (port) => String(ports.get(port)));
    await bash(here);
  }
  for (const key of ['1581F5FKD2294SAMPLE9', '4B1A2C', '1581F5FKD2294SAMPLE8']) {
    await until(async () => (await tracksOf(daemon, key))[0]?.position, `${key} is a track`);
  }
  const placed = async () =>
    (await daemon.get<{ placement: { lat: number } | null }[]>('/api/sensors')).some(
      ({ placement }) => Math.abs((placement?.lat ?? 0) - 47.1987) < 1e-4,
    );
  await until(placed, 'the box knows where it is');
  t.pass('and so does the box');
});

t.test('the captures in the tree are played as the page says', async (t) => {
  const { daemon, ports } = await daemonOfThePage(t);
  const commands = [...text.matchAll(/^dunlin replay (docs\/samples\/\S+) --to udp:\/\/127\.0\.0\.1:(\d+)/gm)];
  t.equal(commands.length, 2);
  for (const [, path = '', port = ''] of commands) {
    const ended = await dunlin(t, 'replay', path, '--to', `udp://127.0.0.1:${ports.get(port)}`, '--rate', '4');
    t.equal(ended.code, 0, ended.err);
  }
  for (const serial of ['1581F5FKD2294SAMPLE1', '1581F5FKD2294SAMPLE2', '1581F5FKD2294SAMPLE3']) {
    const found = await until(async () => {
      const tracks = await tracksOf(daemon, serial);
      // The first of them may be silent again, where the machine is slow to play the second.
      return tracks[0] && tracks[0].state !== 'tentative' ? tracks : null;
    }, `${serial} was confirmed`);
    t.equal(found.length, 1);
  }
});

t.test('the README shows a track, a friend, a threat and an alert by the commands that it prints', async (t) => {
  const daemon = await startDaemon(t);
  const run = async (block: string): Promise<string> => {
    const here = block
      .replaceAll('localhost:8077', new URL(daemon.url).host)
      .replace('node build/dist/main.js watch', `${[...plainNode, mainScript].join(' ')} watch --url ${daemon.url}`);
    const { stdout } = await bash(here);
    t.notMatch(stdout, '"ok":false', here);
    return stdout;
  };
  const [declared = '', sighted = '', ...rest] = blocksOf('See a first aircraft');
  await run(declared);
  t.match(await run(sighted), '"accepted":1');
  for (const block of [...rest, ...blocksOf('Register your own aircraft')]) await run(block);
  let printed = '';
  for (const block of blocksOf('See what matters')) printed += await run(block);
  t.match(printed, /THREAT {3}T-\d+ 1581F5FKD22940099999: (medium|high|critical), \d+ points/, 'a stranger matters');
  t.match(printed, /ALERT {4}\w+: .*apron/, 'and is told of');
  // Each answer is one envelope; those of lists are told apart by what their rows have.
  const [threats, alerts] = printed
    .split(/(?=\{"ok":true)/)
    .slice(-2)
    .map((answer) => JSON.parse(answer).data);
  t.match(alerts, [{ rule_id: String, subject: { type: 'track' } }]);
  t.match(
    threats.find(({ track_id: id }: { track_id: string }) => id === alerts[0]?.subject.id),
    { level: /medium|high|critical/, score: Number },
    'the threat of the alert',
  );
});
