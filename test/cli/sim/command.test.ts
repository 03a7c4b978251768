import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { simCommand } from '../../../src/cli/sim/command.ts';
import { onlyInFull } from '../../support/basics/patience.ts';

onlyInFull(t);

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
    [[], /use 'sim run SCENARIO' or 'sim list'/],
    [['run'], /name a scenario/],
    [['run', 'swarm', 'demo'], /'demo' is the second one/],
    [['list', '--json'], /has no arguments and no options/],
    [['run', 'swarm', '--seed=4294967296'], /--seed must be a whole number/],
    [['run', 'swarm', '--seed=-1'], /--seed must be a whole number/],
    [['run', 'swarm', '--rate', '0.1'], /--rate must be from 0.25 to 20, or max/],
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

t.test('a refused order is printed with its reason, and counts where the scenario expects it done', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-sim-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'refused.yaml');
  const scenario = (expect: string): string =>
    [
      'name: refused',
      'duration_s: 45',
      'origin: {lat: 52, lon: 4}',
      'actors: [{id: heron, kind: asset, name: Heron, start: {east_m: 0, north_m: 0}, mavlink: {}}]',
      'sensors: []',
      'orders:',
      '  - {do: command, at_s: 5, asset: heron, verb: goto, to: {east_m: 90, north_m: 0, height_m: 40}}',
      '  - {do: approve_plan, at_s: 30, about: heron, response: investigate}',
      `expect: [${expect}]`,
    ].join('\n');
  const standing =
    /the order goto to heron at 5 s was refused: goto is not available on Heron: the vehicle is on the ground/;
  const pending = 'the order approve_plan about heron at 30 s was refused: ';

  writeFileSync(file, scenario(''));
  const printed = await said('run', file);
  t.equal(printed.code, 0, 'nothing was expected');
  t.match(printed.out, new RegExp(`  REFUSED  ${standing.source}`));
  t.ok(printed.out.includes(`  REFUSED  ${pending}`), printed.out);

  writeFileSync(
    file,
    scenario('{kind: task, asset: heron, verb: goto}, {kind: metric, metric: tasks_failed, at_most: 0}'),
  );
  const judged = await said('run', file, '--json');
  t.equal(judged.code, 1);
  t.match(JSON.parse(judged.out), {
    metrics: { tasks_failed: 2, tasks_done: 0 },
    refused: [standing, new RegExp(`^${pending}no `)],
    expect: [
      { met: false, text: new RegExp(`^Heron was not done with goto: ${standing.source}`) },
      { met: false, text: new RegExp(`^tasks_failed is 2; at most 0 was required: ${standing.source}`) },
    ],
  });
});
