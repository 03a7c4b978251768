import { parentPort, workerData } from 'node:worker_threads';
import { addon } from '../../geo/addon.ts';
import type { CoreBeginning, FromCore, ToCore } from '../messages.ts';
import { CoreHost } from './calls.ts';

/** Interval at which the heap of this thread is compacted, ms; see host/free_memory.ts. The heap of a core is small. */
const COMPACT_EVERY_MS = 60_000;

/** Runs one core in a thread of its own; see remote.ts for the other side. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('core/worker runs as a worker thread only');
  const publish = (message: FromCore, transfer: ArrayBuffer[]): void => port.postMessage(message, transfer);
  const host = new CoreHost(workerData as CoreBeginning, publish);
  port.on('message', (message: ToCore) => {
    if (message.kind === 'end') port.close();
    else host.take(message);
  });
  setInterval(() => addon.compactHeap(), COMPACT_EVERY_MS).unref();
  publish({ kind: 'ready' }, []);
}

run();
