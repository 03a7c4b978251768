import type { FromWorker, StreamAccess, ToWorker } from './messages.ts';

/** URL of the worker's file; the build inserts its hashed name here. */
declare const STREAM_WORKER: string;

/** The page's side of the stream: one worker, and one function that receives all its messages. */
export class StreamLink {
  readonly #worker = new Worker(STREAM_WORKER, { type: 'module' });

  constructor(receive: (message: FromWorker) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      const startMs = performance.now();
      try {
        receive(data);
      } finally {
        if (data.type === 'batch') this.#takeAfter(startMs);
      }
    });
  }

  /** Confirms a batch after its rendering, which Preact has queued as a microtask by now. */
  #takeAfter(startMs: number): void {
    queueMicrotask(() =>
      this.#worker.postMessage({ type: 'taken', tookMs: performance.now() - startMs } satisfies ToWorker),
    );
  }

  /** Opens the stream, and closes a previous one. */
  open(access: StreamAccess): void {
    this.#worker.postMessage({ type: 'open', access } satisfies ToWorker);
  }

  /** Passes the token of a renewed session to the worker; the stream continues without a gap. */
  renew(token: string): void {
    this.#worker.postMessage({ type: 'renewed', token } satisfies ToWorker);
  }

  close(): void {
    this.#worker.postMessage({ type: 'close' } satisfies ToWorker);
  }
}
