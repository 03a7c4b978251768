import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { seedOf } from '../support/basics/seed.ts';
import { builtNative, sanitized } from '../support/references/built_native.ts';
import { LONG_MS } from '../support/references/emulator.ts';

onlyInFull(t);

// The program with sanitizers is compiled first.
takeTime(t, LONG_MS / 1_000);

t.test(
  'whatever frames, captures and answers of the kernel come, nothing is read beyond its end',
  { timeout: LONG_MS },
  async (t) => {
    const binary = await builtNative('radio_check', sanitized);
    const { stdout } = await promisify(execFile)(binary, [String(seedOf(t)), '1000000']);
    t.match(stdout, /1000000 rounds/);
  },
);

t.test(
  'whatever reports of Bluetooth come, nothing is read beyond their end, and whole sets of aircraft alone go on',
  { timeout: LONG_MS },
  async (t) => {
    const binary = await builtNative('bluetooth_check', sanitized);
    const { stdout } = await promisify(execFile)(binary, [String(seedOf(t)), '1000000']);
    t.match(stdout, /1000000 rounds/);
  },
);
