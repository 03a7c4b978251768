import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { checkConfigCommand } from '../../src/cli/check_config.ts';

function run(argv: string[], env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text), isTty: false };
  return { code: checkConfigCommand(argv, io, env), out, err };
}

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'dunlin.yaml');
  writeFileSync(file, text);
  return file;
}

t.test('a good file is ok with a summary, and 0', async (t) => {
  const file = fileWith('links: [{name: a, transport: udp, address: "127.0.0.1:1", protocol: mavlink}]');
  t.same(run(['--config', file]), {
    code: 0,
    out: [`ok: ${file}: serves http://127.0.0.1:8077, keeps data in data, 1 link, 0 sensors`],
    err: [],
  });
  t.equal(run([], { DUNLIN_CONFIG: file, DUNLIN_DATA: '/srv' }).out[0]?.includes('keeps data in /srv'), true);
});

t.test('a bad file is every problem, and 78', async (t) => {
  const file = fileWith('log: {level: loud}\nhtp: 1\n');
  t.same(run(['--config', file]), {
    code: 78,
    out: [],
    err: [
      `${file}:1:14: log.level: must be one of trace, debug, info, warn, error, fatal; received "loud"`,
      `${file}:2:1: htp: unknown key, did you mean http?`,
    ],
  });
  t.equal(run(['--config', '/nowhere/x.yaml']).code, 78);
  t.same(run(['--config', '/nowhere/x.yaml']).err, [
    'the configuration /nowhere/x.yaml cannot be read: there is no such file',
  ]);
});

t.test('a warning is said and does not fail', async (t) => {
  const file = fileWith('links: [{name: a, transport: serial, address: /dev/ttyACM1, protocol: mavlink}]');
  const { code, err } = run(['--config', file]);
  t.equal(code, 0);
  t.match(err, [/^warning: .*dunlin\.yaml:1:47: links\.0\.address: \/dev\/ttyACM1 is not a stable name/]);
});

t.test('help is asked for or owed: 0 and 2', async (t) => {
  const asked = run(['--help']);
  t.equal(asked.code, 0);
  t.match(asked.out[0], /^Usage: dunlin check-config/);
  for (const argv of [['--what'], ['a.yaml', 'b.yaml'], ['--config']]) {
    const wrong = run(argv);
    t.equal(wrong.code, 2, argv.join(' '));
    t.same(wrong.out, []);
    t.match(wrong.err.join('\n'), /Usage: dunlin check-config/);
  }
});
