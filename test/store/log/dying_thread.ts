import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The real history thread, which ends without warning where a file in the history folder says so: `die-on-batch` before it
 * sees a batch, `die-on-commit` after a commit and before the answer to it; once for each file, or each time for
 * `die-always`.
 */
const port = parentPort;
if (port === null) throw new Error('runs as a worker thread');
const folder = (workerData as { folder: string }).folder;
mkdirSync(folder, { recursive: true });

function told(name: string): boolean {
  if (existsSync(join(folder, 'die-always'))) return true;
  if (!existsSync(join(folder, name))) return false;
  rmSync(join(folder, name));
  return true;
}

port.on('message', (message: { type: string }) => {
  if (message.type === 'batch' && told('die-on-batch')) process.exit(1);
});
const post = port.postMessage.bind(port);
port.postMessage = (message: { type: string }): void => {
  if (message.type === 'committed' && told('die-on-commit')) process.exit(1);
  post(message);
};
await import('../../../src/store/log/thread.ts');
