import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readPolicy } from '../../../src/cli/track/policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'policy.yaml');

function read(text: string) {
  writeFileSync(file, text);
  return readPolicy(file, ['gate_sigma', 'birth_rate']);
}

t.test('settings go by name; what is shown has one of its own', async (t) => {
  t.same(read('tracking: {gate_sigma: 4.5, show_s: 3}'), {
    ok: true,
    policy: { showS: 3, settings: { gate_sigma: 4.5 } },
  });
  t.same(read('other: {x: 1}\ntracking: {}'), { ok: true, policy: { showS: 13, settings: {} } });
});

t.test('everything wrong is told with its place', async (t) => {
  t.same(read('tracking:\n  gate_sgima: 4\n  birth_rate: many\n  show_s: -1\n'), {
    ok: false,
    problems: [
      `${file}:2:3: tracking.gate_sgima: unknown setting, did you mean gate_sigma?`,
      `${file}:3:3: tracking.birth_rate: must be a number`,
      `${file}:4:3: tracking.show_s: must be at least 0; received -1`,
    ],
  });
  for (const text of ['', 'tracking: 4', '- 1', 'trackin: {}']) {
    t.match(read(text), { ok: false, problems: [/'tracking' must be a mapping of settings to numbers$/] }, text);
  }
  t.match(read('tracking: {gate'), { ok: false, problems: [/policy\.yaml:1:\d+: /] });
  t.match(readPolicy(join(folder, 'absent'), []), { ok: false, problems: [/^the policy .* cannot be read: /] });
});
