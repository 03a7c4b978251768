import { parentPort, workerData } from 'node:worker_threads';
import { CoreHost } from './host.ts';
import type { CoreBeginning, FromCore, ToCore } from './messages.ts';

/** Runs one core in a thread of its own; see remote.ts for the other side. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('core/worker runs as a worker thread only');
  const tell = (message: FromCore, transfer: ArrayBuffer[]): void => port.postMessage(message, transfer);
  const host = new CoreHost(workerData as CoreBeginning, tell);
  port.on('message', (message: ToCore) => {
    if (message.kind === 'end') port.close();
    else host.take(message);
  });
  tell({ kind: 'ready' }, []);
}

run();
