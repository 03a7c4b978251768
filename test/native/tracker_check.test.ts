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
  'hostile rows and batches cut anyhow leave the tracker sound and its tracks the same, bit for bit',
  { timeout: LONG_MS },
  async (t) => {
    const binary = await builtNative('tracker_check', sanitized);
    const { stdout } = await run(binary, [String(seedOf(t))]);
    t.match(stdout, /6 rounds/);
  },
);
