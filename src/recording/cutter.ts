import { crc32 } from 'node:zlib';
import { HEAD_BYTES, MOST_RECORD_BYTES, PREFIX_BYTES, segmentMagic } from './format.ts';

/** A piece of a recording: the beginning of a segment, a whole record without length and CRC, or damage. */
export type Cut = { what: 'segment' } | { what: 'record'; payload: Buffer } | { what: 'damage'; sentence: string };

/**
 * Cuts a stream of bytes into records. After damage, which is reported once, it continues at the next segment. It holds
 * at most one incomplete record besides the bytes last pushed. Bytes that remain at the end are a torn record, which
 * does not count as damage.
 */
export class RecordCutter {
  #held: Buffer = Buffer.alloc(0);
  #at = 0;
  #offset = 0;
  #lost = false;
  #begun = false;

  push(bytes: Buffer): void {
    this.#held = this.#at === this.#held.length ? bytes : Buffer.concat([this.#held.subarray(this.#at), bytes]);
    this.#at = 0;
  }

  /** Number of bytes that were pushed and are not yet cut. */
  get rest(): number {
    return this.#held.length - this.#at;
  }

  /** Returns the next piece; null if more bytes are needed. */
  next(): Cut | null {
    if (this.#lost && !this.#findSegment()) return null;
    if (this.rest < 4) return null;
    const isSegment = this.#startsWith(segmentMagic, 4);
    if (isSegment || !this.#begun) return this.#segment(isSegment);
    const length = this.#held.readUInt32LE(this.#at);
    if (length < PREFIX_BYTES || length > MOST_RECORD_BYTES)
      return this.#damage(`a record has the impossible length of ${length} bytes`);
    if (this.rest < HEAD_BYTES + length) return null;
    const payload = this.#held.subarray(this.#at + HEAD_BYTES, this.#at + HEAD_BYTES + length);
    if (crc32(payload) !== this.#held.readUInt32LE(this.#at + 4))
      return this.#damage('the checksum of a record is wrong');
    this.#advance(HEAD_BYTES + length);
    return { what: 'record', payload };
  }

  #segment(isSegment: boolean): Cut | null {
    if (!isSegment) return this.#damage('a recording must begin with the bytes DUNLINR1');
    if (this.rest < segmentMagic.length) return null;
    if (!this.#startsWith(segmentMagic, segmentMagic.length))
      return this.#damage('the version of its format is not supported');
    this.#advance(segmentMagic.length);
    this.#begun = true;
    return { what: 'segment' };
  }

  #damage(why: string): Cut {
    const sentence = `the recording is damaged at byte ${this.#offset}: ${why}`;
    this.#lost = true;
    // The search for the next segment starts after the first damaged byte.
    this.#advance(1);
    return { what: 'damage', sentence };
  }

  /** Moves to the next segment. Returns false if none has arrived yet. */
  #findSegment(): boolean {
    const found = this.#held.indexOf(segmentMagic, this.#at);
    const keep = found < 0 ? Math.max(this.#at, this.#held.length - segmentMagic.length + 1) : found;
    this.#advance(keep - this.#at);
    this.#lost = found < 0;
    return found >= 0;
  }

  #startsWith(bytes: Buffer, length: number): boolean {
    return this.#held.compare(bytes, 0, length, this.#at, this.#at + length) === 0;
  }

  #advance(bytes: number): void {
    this.#at += bytes;
    this.#offset += bytes;
  }
}

/** Sets the CRC of each record in a buffer of whole records. `each` is called with the offsets of each record. */
export function sealRecords(batch: Buffer, each: (start: number, end: number) => void): void {
  for (let start = 0; start < batch.length; ) {
    const end = start + HEAD_BYTES + batch.readUInt32LE(start);
    batch.writeUInt32LE(crc32(batch.subarray(start + HEAD_BYTES, end)), start + 4);
    each(start, end);
    start = end;
  }
}
