import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import t from 'tap';

const bundled = new URL('../../dist/core/thread/worker.js', import.meta.url);

const skip = !existsSync(bundled) && 'there is no bundle: scripts/test makes it';

t.test('a stack of bundled code names the source and its line', { skip }, async (t) => {
  // A core without its settings throws.
  const worker = new Worker(bundled, { workerData: {} });
  const thrown = await new Promise<Error>((resolve) => worker.once('error', resolve));
  t.match(thrown.stack, /\n {4}at file:\S+\/src\/core\/core\.ts:\d+:\d+\n/);
});
