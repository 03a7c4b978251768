import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { simCommand } from '../../../src/cli/sim/command.ts';

async function said(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await simCommand(argv, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    isTty: false,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

t.test('what it is called with wrongly is said, and nothing is played', async (t) => {
  const wrong: [string[], RegExp][] = [
    [[], /say 'sim run SCENARIO' or 'sim list'/],
    [['run'], /name a scenario/],
    [['run', 'swarm', 'demo'], /'demo' is one too many/],
    [['list', '--json'], /takes nothing else/],
    [['run', 'swarm', '--seed=4294967296'], /--seed is a whole number/],
    [['run', 'swarm', '--seed=-1'], /--seed is a whole number/],
    [['run', 'swarm', '--rate', '0.1'], /--rate is from 0.25 to 20, or max/],
    [['run', 'swarm', '--faster'], /--faster/],
    [['run', 'no such scenario'], /the built-in scenarios are .*lone_intruder/],
  ];
  for (const [argv, sentence] of wrong) {
    const { code, out, err } = await said(...argv);
    t.match([argv, code, out, err], [argv, 2, '', sentence]);
  }
});

t.test('the built-in ones are listed by the names they are played by', async (t) => {
  const { code, out } = await said('list');
  t.equal(code, 0);
  t.match(out, /^lone_intruder {2,}Lone intruder$/m);
});

t.test(
  'an expectation that is not met is exit code 1, and a file that is no scenario too, with line and path',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'dunlin-sim-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'yard.yaml');
    const yard = (expect: string): string =>
      `name: yard\nduration_s: 2\norigin: {lat: 52, lon: 4}\nactors: []\nsensors: []\nexpect: [${expect}]\n`;

    writeFileSync(file, yard('{kind: metric, metric: false_tracks, at_most: 0}'));
    const met = await said('run', file, '--json');
    t.equal(met.code, 0, met.err);
    t.match(JSON.parse(met.out), {
      scenario: 'yard',
      seed: 1,
      simulated_s: 2,
      log_hash: /^sha256:/,
      expect: [{ met: true }],
    });

    writeFileSync(file, yard('{kind: metric, metric: tasks_done, at_least: 1}'));
    const missed = await said('run', file, '--seed', '7');
    t.equal(missed.code, 1);
    t.match(missed.out, /yard, seed 7: 2 s .*NOT MET/s);

    writeFileSync(file, yard('').replace('lat: 52', 'lat: .nan'));
    const refused = await said('run', file);
    t.equal(refused.code, 1);
    t.match(refused.err, /line 3, column \d+: 'origin\.lat'/);
  },
);
