import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Fault } from '../../model/fault.ts';

const MOST_BYTES = 4_096;

/** A password: asked for twice on a terminal, without showing it; else the first line of standard input. */
export async function readPassword(what: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const first = await askHidden(`${what}: `);
  const second = await askHidden('once more: ');
  if (first !== second) throw new Fault('invalid_input', 'the two passwords are not the same');
  return first;
}

async function firstLine(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES || chunk.includes(10)) break;
  }
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}

/** The terminal echoes nothing while readline has it, and readline writes what is typed nowhere. */
async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => reject(new Fault('invalid_input', 'given up; nothing was changed')));
      lines.once('close', () => reject(new Fault('invalid_input', 'no password was given')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
