import type { Writable } from 'node:stream';
import { conflict } from '../../model/fault.ts';
import type { FullDeps } from './deps.ts';

export type StreamWriter = {
  /**
   * Resolves with the number of bytes once the kernel has accepted them. Throws a `conflict` Fault while the previous
   * write is in progress.
   */
  write(bytes: Uint8Array): Promise<number>;
  busy(): boolean;
};

type StreamDeps = Pick<FullDeps, 'timers' | 'writeLimitMs'>;

/**
 * Allows one write at a time on a stream. A write that takes longer than `writeLimitMs` destroys the stream. Nothing is
 * queued for a peer that does not read.
 */
export function createStreamWriter(stream: Writable, peer: string, deps: StreamDeps): StreamWriter {
  const { timers, writeLimitMs } = deps;
  let busy = false;
  return {
    busy: () => busy,
    async write(bytes) {
      if (busy) throw conflict(`the previous message to ${peer} is still being sent`);
      busy = true;
      const blocked = new Error(`${peer} accepted no data for ${writeLimitMs / 1000} s, so its connection was closed`);
      const cancel = timers.after(writeLimitMs, () => stream.destroy(blocked));
      try {
        await written(stream, bytes, peer);
        return bytes.length;
      } finally {
        cancel();
        busy = false;
      }
    },
  };
}

function written(stream: Writable, bytes: Uint8Array, peer: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const broken = () =>
      reject(stream.errored ?? new Error(`the connection to ${peer} was closed before the message was sent`));
    stream.once('close', broken);
    stream.write(bytes, (error) => {
      stream.off('close', broken);
      // If the stream is destroyed during a write, the write ends without an error, or with ECANCELED.
      if (error) reject(stream.errored ?? error);
      else if (stream.destroyed) broken();
      else resolve();
    });
  });
}

/**
 * Returns the number of bytes sent by several writes of `length` bytes each. Throws the first failure if every write
 * failed.
 */
export async function writtenToSome(writes: readonly Promise<unknown>[], length: number): Promise<number> {
  const sent = await Promise.allSettled(writes);
  const refused = sent.filter((result) => result.status === 'rejected');
  if (refused[0] && refused.length === sent.length) throw refused[0].reason;
  return (sent.length - refused.length) * length;
}
