import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Codec } from '../../../src/edge/wire/codec.ts';
import { noRejects, type Rejects } from '../../../src/model/link.ts';

const root = new URL('../../../../', import.meta.url);

/** Path of a file of the project's own fixtures. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`test/fixtures/lines/${name}`, root));
}

/** Path of a captured sample beside the project; a checkout need not have it, see `needs`. */
export function samplePath(name: string): string {
  return fileURLToPath(new URL(`../shared/samples/${name}`, root));
}

/** Options of a test that is skipped, with a message, where a file is absent. */
export function needs(...paths: string[]): { skip: string | false } {
  const absent = paths.find((path) => !existsSync(path));
  return { skip: absent === undefined ? false : `needs ${absent}` };
}

export type Fed<Message> = { messages: Message[]; rejects: Rejects; counted: number };

/** Feeds text (Latin-1: a character a byte) or bytes, in pieces cut at `cuts`, and answers all that came of it. */
export function feed<Message>(
  codec: Codec<Message>,
  input: string | Uint8Array,
  cuts: readonly number[] = [],
): Fed<Message> {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'latin1') : input;
  const messages: Message[] = [];
  let start = 0;
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    codec.decode(bytes.subarray(start, cut), 'sender', 0, (message) => messages.push(message));
    start = cut;
  }
  return { messages, rejects: codec.rejects, counted: codec.messages };
}

export function feedFile<Message>(codec: Codec<Message>, path: string): Fed<Message> {
  return feed(codec, readFileSync(path));
}

/** Reject counts with all others zero. */
export function rejected(counts: Partial<Rejects>): Rejects {
  return { ...noRejects(), ...counts };
}

/** An NMEA sentence with its checksum and line end. */
export function nmea(body: string): string {
  let sum = 0;
  for (const byte of Buffer.from(body, 'latin1')) sum ^= byte;
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`;
}
