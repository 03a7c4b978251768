import { isUtf8 } from 'node:buffer';
import { classificationTypes, identityTransports } from '../../../model/observation.ts';
import type { Codec } from '../codec.ts';
import { createLineCodec, type LineCodecOptions, type LineVerdict } from '../line_codec.ts';
import type { ObservationRow } from '../message.ts';
import { parseObservation } from './parse.ts';

const MAX_LINE_BYTES = 65_536;
const MAX_DEPTH = 16;

/**
 * Creates the codec for observations as lines of UTF-8 JSON, at most 64 KiB and 16 levels deep. A row that is no
 * JSON, or has unknown fields or wrong types, counts as `malformed`. A row whose only faults are numbers out of range
 * counts as `implausible`. A kind that this version does not know becomes `other` (see `openEnums`).
 */
export function createObsJsonCodec(options: LineCodecOptions = {}): Codec<ObservationRow> {
  return createLineCodec(decodeLine, options, { maxBytes: MAX_LINE_BYTES });
}

const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** JSON reviver that refuses half of a surrogate pair: an escape can express it, but it is no valid character. */
function refuseHalfPairs(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('half of a surrogate pair');
  return value;
}

function decodeLine(line: Buffer): LineVerdict<ObservationRow> {
  if (!isUtf8(line) || nestsDeeper(line, MAX_DEPTH)) return 'malformed';
  let value: unknown;
  try {
    const text = line.toString('utf8');
    value = JSON.parse(text, surrogateEscape.test(text) ? refuseHalfPairs : undefined);
  } catch {
    return 'malformed';
  }
  openEnums(value);
  const parsed = parseObservation(value);
  return 'row' in parsed ? { kind: 'observation', row: parsed.row } : parsed.reason;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True if JSON text nests objects and lists deeper than `limit`. Does not parse the text. */
function nestsDeeper(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

type Row = Record<string, unknown>;

/**
 * Replaces kinds that this version does not know. An unknown classification type or identity transport becomes `other`.
 * An unknown classification type is kept as `model`, unless the classification has a `model`. Changes `value` in place.
 */
function openEnums(value: unknown): void {
  if (!isRow(value)) return;
  for (const entry of rowsOf(value.classification)) {
    if (!isUnknown(entry.type, classificationTypes)) continue;
    entry.model ??= entry.type.slice(0, 120);
    entry.type = 'other';
  }
  for (const entry of rowsOf(value.identity)) {
    if (isUnknown(entry.transport, identityTransports)) entry.transport = 'other';
  }
}

function isUnknown(word: unknown, known: readonly string[]): word is string {
  return typeof word === 'string' && word !== '' && !known.includes(word);
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
