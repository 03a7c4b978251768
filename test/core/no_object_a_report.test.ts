import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const flags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
const heap = fileURLToPath(new URL('./core_heap.js', import.meta.url));

t.test('a report leaves a few boxed numbers behind in the core, and no document', async (t) => {
  // A young generation that never fills in this run: nothing that was made is collected before it is counted.
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, heap]);
  const { reports, bytesEach } = JSON.parse(stdout) as { reports: number; bytesEach: number };
  t.ok(reports >= 50_000);
  // The engine boxes numbers that functions hand on, at 16 bytes each, and more of them where it compiles late: 200 to 260
  // bytes on a quiet and on a busy machine. A dossier or a card would be kilobytes.
  t.ok(bytesEach < 400, `${bytesEach.toFixed(1)} bytes a report`);
});
