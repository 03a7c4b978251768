import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(process.cwd(), '../shared/interop/cot_in.jsonl');

/** One case of the data of the format: the bytes of a datagram, or the chunks of a stream, and what they give. */
export type CotCase = {
  id: string;
  transport: 'udp' | 'stream';
  chunks: Buffer[];
  expect: { events?: ExpectedEvent[]; reject?: string; rejects?: Record<string, number> };
};

export type ExpectedEvent = {
  [key in 'lat' | 'lon' | 'hae_m' | 'ce_m' | 'le_m' | 'course_deg' | 'speed_mps']: number | null;
} & {
  uid: string;
  type: string;
  how: string;
  callsign: string | null;
  time: string;
  stale: string;
  remarks?: string;
  claimed?: string;
};

type Line = Omit<CotCase, 'chunks'> & { hex?: string; chunks?: (string | { text: string; times: number })[] };

/** A reason for tap's `skip` where the data is not at hand. */
export const cotDataMissing: string | false = existsSync(path) ? false : 'the data of Cursor on Target is not here';

export function cotCases(): CotCase[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const { hex, chunks, ...rest } = JSON.parse(line) as Line;
    return { ...rest, chunks: (chunks ?? [hex ?? '']).map(bytesOf) };
  });
}

function bytesOf(chunk: string | { text: string; times: number }): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, 'hex') : Buffer.from(chunk.text.repeat(chunk.times), 'utf8');
}
