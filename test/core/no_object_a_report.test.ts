import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const heap = fileURLToPath(new URL('../support/core_heap.js', import.meta.url));

t.test('a report leaves no object behind in the core', async (t) => {
  // A young generation that never fills in this run: nothing that was made is collected before it is counted.
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--max-semi-space-size=256', heap]);
  const { reports, bytesEach } = JSON.parse(stdout) as { reports: number; bytesEach: number };
  t.ok(reports >= 50_000);
  // Cards once a second, answers as numbers and what a step itself makes are shared by thousands of reports.
  t.ok(bytesEach < 60, `${bytesEach.toFixed(1)} bytes a report; the smallest object with five numbers takes 64`);
});
