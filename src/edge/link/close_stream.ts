import type { Duplex } from 'node:stream';

/** Destroys a stream, and resolves when its descriptor is closed. */
export async function closeStream(stream: Duplex): Promise<void> {
  if (stream.closed) return;
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
}
