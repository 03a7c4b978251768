import type { Readable } from 'node:stream';

/** Bytes that the streams of one link may deliver in one turn of the event loop. */
const turnBytes = 256 * 1024;

/**
 * Reads streams so that a busy link does not delay others. The streams of a link may together deliver `turnBytes` in
 * one turn of the event loop. Then each stream that delivers is paused until the next turn. Without this limit the 64
 * connections of a server could each deliver 32 reads of 64 KiB before another link is read. Datagram sockets cannot
 * be paused and need no budget: the loop reads at most 32 datagrams from each in a turn.
 */
export type TurnBudget = { read(stream: Readable, deliver: (bytes: Uint8Array) => void): void };

export function createTurnBudget(bytesPerTurn: number = turnBytes): TurnBudget {
  let left = bytesPerTurn;
  let renewing = false;
  const waiting = new Set<Readable>();

  function renew(): void {
    renewing = false;
    left = bytesPerTurn;
    for (const stream of waiting) if (!stream.destroyed) stream.resume();
    waiting.clear();
  }

  return {
    read(stream, deliver) {
      stream.on('data', (bytes: Buffer) => {
        left -= bytes.length;
        if (left <= 0) {
          stream.pause();
          waiting.add(stream);
        }
        if (!renewing) setImmediate(renew);
        renewing = true;
        deliver(bytes);
      });
    },
  };
}
