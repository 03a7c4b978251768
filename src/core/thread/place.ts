import { Worker } from 'node:worker_threads';
import { sentenceOf } from '../../model/fault.ts';
import type { CoreBeginning, FromCore, ToCore } from '../messages.ts';
import { type CoreCall, CoreHost } from './calls.ts';

/** Callbacks for the answers of a core. */
export type CoreEars = {
  published(message: FromCore): void;
  /**
   * Called when the core has ended; `sentence` gives the cause of a failure. A worker thread calls it also for an end
   * on request.
   */
  ended(sentence: string): void;
};

export type CorePort = {
  send(call: CoreCall, transfer: ArrayBuffer[]): void;
  /** Lets the core process the messages already sent, then ends it; terminates it after `FINISH_MS`. */
  finish(): Promise<void>;
  stop(): Promise<void>;
};

const FINISH_MS = 2_000;

/**
 * Starts a core in a thread of the implementation's choice. Messages are always copied or transferred, even within one
 * thread, so that results do not depend on the thread.
 */
export type CorePlace = (beginning: CoreBeginning, ears: CoreEars) => CorePort;

/** Runs the core in a worker thread of its own, which keeps the world's thread free. */
export const inItsThread: CorePlace = (workerData, ears) => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let failure = 'the core ended without an error message';
  worker.on('error', ({ message }) => {
    failure = message;
  });
  worker.on('exit', () => ears.ended(failure));
  worker.on('message', (message: FromCore) => ears.published(message));
  return {
    send: (call, transfer) => worker.postMessage(call, transfer),
    async finish() {
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage({ kind: 'end' } satisfies ToCore);
      const force = setTimeout(() => void worker.terminate(), FINISH_MS);
      await ended;
      clearTimeout(force);
    },
    async stop() {
      await worker.terminate();
    },
  };
};

/**
 * Runs the core in its world's thread. If that thread has nothing else to do, this saves the switches between two
 * threads.
 */
export const inTheWorlds: CorePlace = (beginning, ears) => {
  const host = new CoreHost(structuredClone(beginning), (message, transfer) =>
    ears.published(structuredClone(message, { transfer })),
  );
  // The message is deferred like that of a worker, because the caller expects it after this function has returned.
  setImmediate(() => ears.published({ kind: 'ready' }));
  return {
    send(call, transfer) {
      try {
        host.take(structuredClone(call, { transfer }));
      } catch (thrown) {
        ears.ended(sentenceOf(thrown));
      }
    },
    async finish() {},
    async stop() {},
  };
};
