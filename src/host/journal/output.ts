import { pino } from 'pino';

/** Lines on their way to a file descriptor. */
export type Output = { write(line: string): void; dropped(): number; flush(withinMs?: number): Promise<void> };

const MAX_BUFFERED_BYTES = 1_048_576;

/**
 * Writes lines by asynchronous writes from a bounded buffer: a reader that stalls costs lines (counted), never the event
 * loop. What is still buffered when the process exits is written then.
 */
export function createOutput(fd: number): Output {
  // With a least length of 1 each line leaves at once and flush() truly waits for the write in flight; with 0 it does not.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
  let dropped = 0;
  stream.on('drop', () => dropped++);
  // A log that cannot be written is no reason to stop watching the sky.
  stream.on('error', () => dropped++);
  return {
    write: (line) => void stream.write(line),
    dropped: () => dropped,
    flush: (withinMs = 500) =>
      new Promise((resolve) => {
        const deadline = setTimeout(resolve, withinMs);
        const done = (): void => {
          clearTimeout(deadline);
          resolve();
        };
        stream.flush(done);
      }),
  };
}
