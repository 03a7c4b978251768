import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { Io } from '../../../src/cli/io.ts';
import { trackCommand } from '../../../src/cli/track/command.ts';
import { FakeCore, makerOf, rows } from './fake_core.ts';
import { site } from './site_fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);
const file = (name: string, text: string): string => {
  writeFileSync(path(name), text);
  return path(name);
};

const siteFile = file('site.json', JSON.stringify(site));
const scan = '{"t":0,"tr":0.1,"s":"tower","k":"scan","sc":0,"n":0}\n';
const seen = {
  number: 3,
  state: 1,
  latDeg: 10,
  lonDeg: 20,
  altHaeM: 90,
  eastMps: 0,
  northMps: 0,
  upMps: 0,
  lastSeenMs: 0,
};

async function run(argv: string[], io: Partial<Io> = {}, maker = makerOf(new FakeCore())) {
  const [out, err, drawn]: [string[], string[], string[]] = [[], [], []];
  const code = await trackCommand(
    argv,
    {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      draw: (text) => void drawn.push(text),
      isTty: false,
      ...io,
    },
    maker,
  );
  return { code, out, err, drawn };
}

t.test('tracks go to the file, figures to the reader, and nothing else is said in a pipe', async (t) => {
  const core = new FakeCore((atS) => (atS === 1.5 ? { rows: rows(seen) } : {}));
  const result = await run([siteFile, file('a.jsonl', scan), '--out', path('tracks')], {}, makerOf(core));
  t.match(result, { code: 0, err: [], drawn: [] });
  t.match(result.out[0], /^reports {5}0\nupdates {5}0\nscans {7}1\ntracks {6}1\ntime .* s in the core\nper scan {4}\d/);
  const lines = readFileSync(path('tracks'), 'utf8').trim().split('\n');
  t.match(
    lines.map((line) => JSON.parse(line)),
    [
      { t: 1.5, id: 3, st: 'confirmed' },
      { t: 2, id: 3 },
    ],
  );
});

t.test('without a file, or with -, detections are read from what comes in, a piece at a time', async (t) => {
  async function* input(): AsyncGenerator<Buffer> {
    for (const at of [0, 9, 30]) yield Buffer.from(scan.slice(at, at === 0 ? 9 : at === 9 ? 30 : undefined));
  }
  for (const argv of [[siteFile], [siteFile, '-']]) {
    const { code, out } = await run([...argv, '--out', path('tracks')], { input: input() });
    t.equal(code, 0);
    t.match(out[0], /scans {7}1/);
  }
});

t.test('on a terminal one line is redrawn, and taken away at the end', async (t) => {
  const { drawn } = await run([siteFile, file('a.jsonl', scan), '--out', path('tracks')], { isTty: true });
  t.match(drawn[0], /^\r0\.0 of 2 s, 0 reports, 0 tracks/);
  t.equal(drawn.at(-1), '\r\x1b[K');
});

t.test('bad lines are told, at most ten of them, and counted', async (t) => {
  const { code, out, err } = await run([siteFile, file('bad.jsonl', `${'x\n'.repeat(30)}${scan}`), '--out', path('b')]);
  t.equal(code, 0);
  t.equal(err.length, 10);
  t.equal(err[0], `${path('bad.jsonl')}: line 1: is not JSON`);
  t.match(err[9], /further problems are counted, but not printed/);
  t.match(out[0], /bad lines {3}30$/);
});

t.test('what cannot be done answers 1 in one sentence', async (t) => {
  const good = file('a.jsonl', scan);
  const wrong: [string[], RegExp][] = [
    [[path('absent.json'), good], /^dunlin track: cannot read .*absent\.json/],
    [[file('wrong.json', '{"origin":{"lat":"x"}}'), good], /wrong\.json: 'origin\.lat' must be a number, not a string/],
    [[siteFile, path('absent.jsonl')], /^dunlin track: cannot read .*absent\.jsonl/],
    [[siteFile, file('empty.jsonl', '')], /empty\.jsonl contains no valid detection/],
    [[siteFile, file('none.jsonl', 'x\n')], /none\.jsonl contains no valid detection/],
  ];
  for (const [argv, sentence] of wrong) {
    const { code, out, err } = await run([...argv, '--out', path('tracks')]);
    t.equal(code, 1, argv.join(' '));
    t.same(out, []);
    t.match(err.at(-1), sentence);
  }
  const { code, err } = await run([siteFile, good, '--out', path('no/such/folder')]);
  t.equal(code, 1);
  t.match(err, [/^dunlin track: cannot write .*folder: /]);
});

t.test('a policy that is not good answers 78', async (t) => {
  const argv = [siteFile, file('a.jsonl', scan), '--out', path('tracks'), '--policy'];
  const unknown = await run([...argv, file('p.yaml', 'tracking: {gat: 1}')]);
  t.match(unknown, { code: 78, out: [], err: [`${path('p.yaml')}:1:12: tracking.gat: unknown setting`] });
});

t.test('wrong use answers 2, help 0', async (t) => {
  for (const [argv, sentence] of [
    [[], /name the file of the site/],
    [['a'], /name the file for the tracks with --out/],
    [['a', 'b', 'c', '--out', 'd'], /'c' is too many/],
    [['a', '--what'], /--what/],
  ] as const) {
    const { code, err } = await run([...argv]);
    t.equal(code, 2, argv.join(' '));
    t.match(err[0], sentence);
  }
  t.match(await run(['--help']), { code: 0, out: [/^Usage: dunlin track/], err: [] });
});

t.test('what stood in the file of the tracks stays where nothing came of the run', async (t) => {
  const old = file('old.jsonl', 'what was');
  t.match(await run([siteFile, file('bad.jsonl', 'nonsense'), '--out', old]), { code: 1 });
  t.equal(readFileSync(old, 'utf8').trim(), 'what was');
  t.match(await run([siteFile, path('nowhere.jsonl'), '--out', path('new.jsonl')]), { code: 1 });
  t.notOk(existsSync(path('new.jsonl')), 'and nothing is left of it');
});
