import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { seedOf } from '../support/basics/seed.ts';
import { builtNative, sanitized } from '../support/references/built_native.ts';
import { LONG_MS } from '../support/references/emulator.ts';

onlyInFull(t);

// Checks with sanitizers are compiled first.
takeTime(t, 300);

const run = promisify(execFile);

t.test(
  'whatever things and states are told, areas stay sound, their rows in order and alike in all lanes',
  { timeout: LONG_MS },
  async (t) => {
    const binary = await builtNative('areas_check', sanitized);
    const { stdout } = await run(binary, [String(seedOf(t))]);
    t.match(stdout, /20 rounds/);
  },
);

t.test('measuring takes no memory, and stops where there is no room', { timeout: LONG_MS }, async (t) => {
  const binary = await builtNative('areas_pace', ['-O2']);
  const { stdout } = await run(binary, [String(seedOf(t))]);
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(stdout)?.[1]);
  t.equal(of('allocations'), 0);
  t.ok(of('heads') >= 90 && of('rows') > 200, stdout);
  t.notMatch(stdout, /beyond_room/);
});
