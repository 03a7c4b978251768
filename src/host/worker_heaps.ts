import { setFlagsFromString } from 'node:v8';

/**
 * Frees worker threads from Node's option `--initial-old-space-size`. With it, the service loads the modules of the main
 * thread without a full garbage collection, which takes a sixth less CPU time. In workers it saves little, and each of
 * them would hold up to that much garbage. V8 reads the option when a thread's heap is created.
 */
export function resetInitialHeapOfWorkers(): void {
  setFlagsFromString('--initial-old-space-size=0');
}
