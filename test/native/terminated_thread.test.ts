import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import t from 'tap';
import { timesOf } from '../support/basics/size.ts';
import { emulator } from '../support/references/emulator.ts';

const addonPath = createRequire(import.meta.url).resolve('#native');

/** Threads that call the addon without a pause, each ended in the middle of a call. */
const program = (threads: number): string => `
  const { Worker } = require('node:worker_threads');
  const thread = 'const { parentPort, workerData } = require("node:worker_threads");' +
    'const addon = require(workerData); parentPort.postMessage("runs"); for (;;) addon.trackerSettings();';
  (async () => {
    for (let n = 0; n < ${threads}; n++) {
      const worker = new Worker(thread, { eval: true, workerData: process.argv[1] });
      await new Promise((runs) => worker.once('message', runs));
      await new Promise((later) => setTimeout(later, n % 7));
      await worker.terminate();
    }
    console.log('alive');
  })();
`;

t.test('a thread that ends inside the addon ends alone: the daemon outlives its core', async (t) => {
  // A process of its own: what this is about aborts the whole process.
  const [command = '', ...args] = [
    ...emulator,
    process.execPath,
    '-e',
    program(timesOf({ usual: 5, full: 12 })),
    addonPath,
  ];
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  t.match({ status, stdout }, { status: 0, stdout: 'alive\n' }, stderr.slice(0, 400));
});
