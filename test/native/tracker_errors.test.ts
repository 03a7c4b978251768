import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { seedOf } from '../support/basics/seed.ts';
import { builtNative } from '../support/references/built_native.ts';
import { LONG_MS } from '../support/references/emulator.ts';

onlyInFull(t);

// Checks with sanitizers are compiled first.
takeTime(t, 300);

const run = promisify(execFile);

t.test('the errors of tracks are about as large as is said of them', { timeout: LONG_MS }, async (t) => {
  const binary = await builtNative('tracker_errors', ['-O2']);
  const { stdout } = await run(binary, [String(seedOf(t))]);
  for (const line of stdout.trim().split('\n')) {
    const [population, mean, count] = line.split(' ');
    t.ok(Number(count) > 3000, `${population}: ${count} states`);
    // Squared and normalised, in three dimensions: three where every word is true.
    t.ok(Number(mean) > 1.5 && Number(mean) < 6, `${population}: ${mean} on average`);
  }
});
