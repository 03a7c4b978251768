import { Worker } from 'node:worker_threads';
import { sentenceOf } from '../model/fault.ts';
import { CoreHost } from './host.ts';
import type { CoreBeginning, FromCore } from './messages.ts';
import type { Spoken } from './speaker.ts';

/** What a core that runs somewhere is heard by. */
export type CoreEars = {
  told(message: FromCore): void;
  /** It is over, whether it was told to stop or not; the sentence says why where it was not. */
  ended(sentence: string): void;
};

export type CorePort = {
  send(message: Spoken, transfer: ArrayBuffer[]): void;
  stop(): Promise<void>;
};

/** Begins a core somewhere. What it is told and what it tells are copies wherever that is, so that it is the same core. */
export type CorePlace = (beginning: CoreBeginning, ears: CoreEars) => CorePort;

/** In a thread of its own, beside which the thread of the world has its hands free. */
export const inItsThread: CorePlace = (workerData, ears) => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let failure = 'the core ended without a word';
  worker.on('error', ({ message }) => {
    failure = message;
  });
  worker.on('exit', () => ears.ended(failure));
  worker.on('message', (message: FromCore) => ears.told(message));
  return {
    send: (message, transfer) => worker.postMessage(message, transfer),
    async stop() {
      await worker.terminate();
    },
  };
};

/** In the thread of the world, where that has nothing else to do: no thread is woken, and none waits for another. */
export const inTheWorlds: CorePlace = (beginning, ears) => {
  const host = new CoreHost(structuredClone(beginning), (message, transfer) =>
    ears.told(structuredClone(message, { transfer })),
  );
  // As a thread of its own would: after who began it has heard that it has.
  setImmediate(() => ears.told({ kind: 'ready' }));
  return {
    send(message, transfer) {
      try {
        host.take(structuredClone(message, { transfer }));
      } catch (thrown) {
        ears.ended(sentenceOf(thrown));
      }
    },
    async stop() {},
  };
};
