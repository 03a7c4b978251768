import { isMainThread, resourceLimits } from 'node:worker_threads';

/** Loaded into each thread of a daemon: SIGUSR2 lets the core, which is known by its heap, fill its memory. */
const CORE_HEAP_MB = 256;
const hunger = new BroadcastChannel('hunger');
hunger.unref();
if (isMainThread) process.on('SIGUSR2', () => hunger.postMessage('now'));
else if (resourceLimits.maxOldGenerationSizeMb === CORE_HEAP_MB)
  hunger.onmessage = () => {
    const hoard: unknown[] = [];
    for (;;) hoard.push(new Array(50_000).fill(hoard));
  };
