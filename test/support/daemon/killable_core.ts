import type { Worker } from 'node:worker_threads';

/** Loaded before a daemon: SIGUSR2 ends the thread of its core, which no signal reaches. The core is told by its heap. */
const CORE_HEAP_MB = 256;
let core: Worker | null = null;
process.on('worker', (worker) => {
  if (worker.resourceLimits?.maxOldGenerationSizeMb === CORE_HEAP_MB) core = worker;
});
process.on('SIGUSR2', () => void core?.terminate());
