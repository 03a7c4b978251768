import { fork } from 'node:child_process';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(import.meta.url);

export type Readers = { bytes(): Promise<number>; close(): void };

/** Clients of the stream in a process of their own that read and do nothing else. */
export async function startReaders(url: string, count: number): Promise<Readers> {
  const child = fork(script, [url, String(count)]);
  const answer = (): Promise<number> =>
    new Promise((resolve) => child.once('message', (bytes) => resolve(Number(bytes))));
  await answer();
  return {
    bytes() {
      const told = answer();
      child.send('bytes');
      return told;
    },
    close: () => void child.kill(),
  };
}

function read(url: string, count: number): void {
  let bytes = 0;
  let open = 0;
  for (let i = 0; i < count; i++) {
    get(`${url}/api/stream`, { agent: false }, (response) => {
      response.on('data', (part: Buffer) => {
        bytes += part.length;
      });
      response.on('end', () => process.exit(1));
      if (++open === count) process.send?.(0);
    });
  }
  process.on('message', () => process.send?.(bytes));
}

if (process.argv[1] === script && process.send) read(process.argv[2] ?? '', Number(process.argv[3]));
