import { parentPort, workerData } from 'node:worker_threads';
import { Core } from './core.ts';
import type { CoreBeginning, FromCore, ToCore } from './messages.ts';

/** Runs one core in a thread of its own; see remote.ts for the other side. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('core/worker runs as a worker thread only');
  const beginning = workerData as CoreBeginning;
  const core = new Core(beginning.settings, beginning.seed, beginning.lastNumber);
  core.setSensors(beginning.sensors);
  core.restore(beginning.restored);
  const tell = (message: FromCore, transfer: ArrayBuffer[]): void => port.postMessage(message, transfer);
  port.on('message', (message: ToCore) => {
    if (message.kind === 'sensors') core.setSensors(message.sensors);
    else if (message.kind === 'life') core.setLife(message.life);
    else if (message.kind === 'drop') core.drop(message.number);
    else if (message.kind === 'end') port.close();
    else {
      const begunMs = performance.now();
      const output = core.step(message.batch, message.nowMs);
      const tookMs = performance.now() - begunMs;
      const { rows, heard, assigned } = output;
      tell(
        { kind: 'output', output, tookMs },
        [rows, heard, assigned].map(({ buffer }) => buffer as ArrayBuffer),
      );
    }
  });
  tell({ kind: 'ready' }, []);
}

run();
