const CR = 13;
const LF = 10;
const NUL = 0;

export type LineLimits = {
  /** Longest line, bytes without its end. */
  maxBytes: number;
  /** Greatest number of senders with an incomplete line. Beyond it, the incomplete line that began first is evicted. */
  maxSenders: number;
  /** True if each chunk is a datagram: its end ends the line, and nothing is kept for the next chunk. */
  datagrams: boolean;
};

export type LineSink = {
  /** Receives one line without its end, never empty. The bytes are valid only until the call returns. */
  line(bytes: Buffer): void;
  /** Reports a lost line: too long (reported once, as soon as this is known), or evicted while incomplete. */
  lost(why: 'length' | 'evicted'): void;
};

type Pending = { bytes: Buffer; length: number; tooLong: boolean };

/**
 * Splits the bytes of many senders into lines, separately for each sender.
 *
 * CR, LF and NUL each end a line. CRLF, padding and the NULs of a serial break therefore make empty lines, which are
 * ignored. The rest of a line above the limit is skipped without being kept. Memory is at most 2 × `maxSenders` ×
 * `maxBytes`, because buffers grow by doubling.
 */
export class LineSplitter {
  readonly #limits: LineLimits;
  readonly #pending = new Map<string, Pending>();

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  /** Number of senders with an incomplete line. */
  get senders(): number {
    return this.#pending.size;
  }

  /** True while a line of this sender is incomplete. */
  isPending(from: string): boolean {
    return this.#pending.has(from);
  }

  forget(from: string): void {
    this.#pending.delete(from);
  }

  push(bytes: Uint8Array, from: string, sink: LineSink): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The next position of each kind of line end is kept. A rare kind is then not searched for again after every line.
    let cr = next(chunk, CR, 0);
    let lf = next(chunk, LF, 0);
    let nul = next(chunk, NUL, 0);
    let start = 0;
    for (let end = Math.min(cr, lf, nul); end < chunk.length; end = Math.min(cr, lf, nul)) {
      this.#end(chunk.subarray(start, end), from, sink);
      start = end + 1;
      if (cr < start) cr = next(chunk, CR, start);
      if (lf < start) lf = next(chunk, LF, start);
      if (nul < start) nul = next(chunk, NUL, start);
    }
    const rest = chunk.subarray(start);
    if (this.#limits.datagrams) this.#end(rest, from, sink);
    else if (rest.length > 0) this.#keep(rest, from, sink);
  }

  #end(part: Buffer, from: string, sink: LineSink): void {
    const pending = this.#pending.size === 0 ? undefined : this.#pending.get(from);
    if (pending !== undefined) {
      this.#pending.delete(from);
      if (pending.tooLong) return;
    }
    const length = part.length + (pending?.length ?? 0);
    if (length > this.#limits.maxBytes) sink.lost('length');
    else if (pending !== undefined) sink.line(append(pending, part).subarray(0, length));
    else if (length > 0) sink.line(part);
  }

  #keep(part: Buffer, from: string, sink: LineSink): void {
    const pending = this.#pending.get(from) ?? this.#admit(from, sink);
    if (pending.tooLong) return;
    if (pending.length + part.length <= this.#limits.maxBytes) {
      append(pending, part);
      return;
    }
    pending.tooLong = true;
    pending.bytes = Buffer.alloc(0);
    sink.lost('length');
  }

  #admit(from: string, sink: LineSink): Pending {
    if (this.#pending.size >= this.#limits.maxSenders) {
      for (const [oldest, evicted] of this.#pending) {
        this.#pending.delete(oldest);
        if (!evicted.tooLong) sink.lost('evicted');
        break;
      }
    }
    const pending = { bytes: Buffer.alloc(0), length: 0, tooLong: false };
    this.#pending.set(from, pending);
    return pending;
  }
}

function next(chunk: Buffer, byte: number, start: number): number {
  const at = chunk.indexOf(byte, start);
  return at === -1 ? chunk.length : at;
}

/**
 * Appends to an incomplete line and returns its buffer. The buffer grows by doubling, so that single bytes do not
 * each cost a copy.
 */
function append(pending: Pending, part: Buffer): Buffer {
  const length = pending.length + part.length;
  if (length > pending.bytes.length) {
    const grown = Buffer.alloc(Math.max(length, 2 * pending.bytes.length, 128));
    pending.bytes.copy(grown, 0, 0, pending.length);
    pending.bytes = grown;
  }
  part.copy(pending.bytes, pending.length);
  pending.length = length;
  return pending.bytes;
}
