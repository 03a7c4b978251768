import { get, type IncomingMessage } from 'node:http';

const KIND = '\nevent: ';
const DATA = '\ndata: ';

/** An event as text: reading it out of its JSON would cost the bench as much as the daemon spent on it. */
export type StreamEvent = { kind: string; data: string };

/** Reads a daemon's event stream; `take` is given each event with the time its bytes came. Resolves with a way to end it. */
export function readStream(url: string, take: (event: StreamEvent, atMs: number) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/stream`, (response: IncomingMessage) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream answered ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        const atMs = performance.now();
        text += part;
        const end = text.lastIndexOf('\n\n');
        if (end < 0) return;
        for (const block of text.slice(0, end).split('\n\n')) takeBlock(block, (event) => take(event, atMs));
        text = text.slice(end + 2);
      });
      response.on('error', () => {});
      resolve(() => request.destroy());
    });
    request.on('error', reject);
  });
}

function takeBlock(block: string, take: (event: StreamEvent) => void): void {
  const [kindAt, dataAt] = [block.indexOf(KIND), block.indexOf(DATA)];
  if (kindAt < 0 || dataAt < 0) return;
  take({ kind: block.slice(kindAt + KIND.length, dataAt), data: block.slice(dataAt + DATA.length) });
}
