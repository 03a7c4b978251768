import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, invalidInput, sentenceOf } from '../../model/fault.ts';
import { decodeUtf8, readChunks, readText, requireMediaType } from '../body.ts';
import { parseJson } from '../json.ts';
import type { Room } from '../route.ts';

/** Row of an ingest body: its value, or the reason why it could not be parsed. */
export type Row = { value: unknown } | { error: string };

const ingestTypes = ['application/json', 'application/x-ndjson'] as const;

/**
 * Reads the rows of an ingest body. It returns only after the body has ended, so a body that is cut off or too long has
 * no effect. Throws if the body as a whole is invalid.
 */
export function readRows(req: IncomingMessage, res: ServerResponse, room: Room): Promise<Row[]> {
  const type = requireMediaType(req, ingestTypes);
  return type === 'application/json' ? readList(req, res, room) : readLines(req, res, room);
}

async function readList(req: IncomingMessage, res: ServerResponse, room: Room): Promise<Row[]> {
  const { ingestBodyBytes, ingestRows, jsonDepth } = room.settings.limits;
  const text = await readText(req, res, ingestBodyBytes, room.budget);
  const body = parseJson(text, 'the body', jsonDepth);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidInput("the body must be an object with the field 'obs'");
  }
  if (!('obs' in body)) throw invalidInput("the body must be an object with the field 'obs', a list of observations");
  const unknown = Object.keys(body).find((key) => key !== 'obs');
  if (unknown !== undefined) {
    throw invalidInput(`'${unknown.slice(0, 60)}' is not a known field: the only field of the body is 'obs'`);
  }
  const rows: unknown = body.obs;
  if (!Array.isArray(rows)) throw invalidInput("'obs' must be a list");
  if (rows.length > ingestRows) throw tooManyRows(ingestRows);
  return rows.map((value) => ({ value }));
}

async function readLines(req: IncomingMessage, res: ServerResponse, room: Room): Promise<Row[]> {
  const { ingestBodyBytes, ingestRows, objectBytes, jsonDepth } = room.settings.limits;
  const rows: Row[] = [];
  let readable = false;
  for await (const line of splitLines(readChunks(req, res, ingestBodyBytes, room.budget), objectBytes)) {
    if (line.index >= ingestRows) throw tooManyRows(ingestRows);
    const row =
      line.bytes === null ? { error: `the line is longer than ${objectBytes} bytes` } : readLine(line.bytes, jsonDepth);
    readable ||= 'value' in row;
    rows.push(row);
  }
  if (rows.length === 0) throw invalidInput('the body is empty; it must have one observation per line');
  if (!readable) throw invalidInput(`no line of the body can be read; error of the first: ${sentenceOfRow(rows[0])}`);
  return rows;
}

function readLine(bytes: Buffer, depth: number): Row {
  const text = decodeUtf8(bytes);
  if (text === null) return { error: 'the line is not UTF-8 text' };
  try {
    return { value: parseJson(text, 'the line', depth) };
  } catch (thrown) {
    return { error: sentenceOf(thrown) };
  }
}

function sentenceOfRow(row: Row | undefined): string {
  return row !== undefined && 'error' in row ? row.error : '';
}

function tooManyRows(limit: number): Fault {
  return new Fault('too_large', `a request may have at most ${limit} observations`);
}

/** One line of a body. `index` counts the lines that are not blank. `bytes` is null if the line is too long. */
type BodyLine = { index: number; bytes: Buffer | null };

/**
 * Splits chunks into lines as they arrive, so that at most one line is held in memory. A line longer than `limit` bytes
 * is skipped to its end, and yielded with `bytes: null`. Blank lines are skipped and not counted.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<BodyLine> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let index = 0;

  const take = (piece: Buffer): BodyLine | null => {
    const long = heldBytes + piece.length > limit;
    const bytes = long ? null : Buffer.concat([...held, piece]);
    held = [];
    heldBytes = 0;
    if (bytes !== null && isBlank(bytes)) return null;
    return { index: index++, bytes };
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = take(chunk.subarray(from, end));
      from = end + 1;
      if (line !== null) yield line;
    }
    const rest = chunk.subarray(from);
    heldBytes += rest.length;
    if (heldBytes > limit) held = [];
    else if (rest.length > 0) held.push(rest);
  }
  const last = heldBytes > 0 ? take(Buffer.alloc(0)) : null;
  if (last !== null) yield last;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
