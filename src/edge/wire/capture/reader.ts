import { ByteQueue } from './byte_queue.ts';
import { isPcap, PCAP_HEADER, pcapFormat } from './pcap.ts';
import { isPcapng, Pcapng } from './pcapng.ts';
import type { CaptureFormat, CaptureSink, Step } from './records.ts';

const MAGIC = 4;

/** True for the first bytes of a pcap or pcapng capture. */
export function isCapture(head: Buffer): boolean {
  return head.length >= MAGIC && (isPcap(head) || isPcapng(head));
}

/**
 * Reads a capture from chunks of any size: pcap in both byte orders with micro- or nanoseconds, or pcapng. After
 * damage it continues at the next record; each run of damage counts as one `malformed`. Keeps less than one record in
 * memory.
 */
export class CaptureReader {
  readonly #held = new ByteQueue();
  #format: CaptureFormat | null = null;
  #isLost = false;
  #skip = 0;
  /** Least number of bytes that the next record has. */
  #needed = MAGIC;
  /** Position in the stream of the record being read, bytes. */
  at = 0;

  /** True while a record is incomplete, or the rest of a skipped record is still to come. */
  get isPending(): boolean {
    return this.#held.length > 0 || this.#skip > 0;
  }

  push(chunk: Uint8Array, sink: CaptureSink): void {
    const fresh = this.#skipOver(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    if (this.#held.length === 0) {
      const used = this.#readAll(fresh, sink);
      if (used < fresh.length) this.#held.append(fresh.subarray(used));
      return;
    }
    this.#held.append(fresh);
    if (this.#held.length < this.#needed) return;
    this.#held.drop(this.#readAll(this.#held.view(), sink));
  }

  /** Skips the bytes of the chunk that belong to a skipped record. Returns the bytes after them. */
  #skipOver(chunk: Buffer): Buffer {
    const skipped = Math.min(this.#skip, chunk.length);
    this.#skip -= skipped;
    this.at += skipped;
    return chunk.subarray(skipped);
  }

  /** Reads all whole records. Returns the number of bytes used. */
  #readAll(bytes: Buffer, sink: CaptureSink): number {
    let used = 0;
    for (;;) {
      const rest = bytes.subarray(used);
      const begin = this.#isLost ? this.#findIn(rest) : 0;
      used += begin;
      this.at += begin;
      const step = this.#step(rest.subarray(begin), sink);
      if ('need' in step) {
        this.#needed = step.need;
        return used;
      }
      const taken = this.#taken(step, sink);
      const skipped = Math.min(this.#skip, bytes.length - used - taken);
      this.#skip -= skipped;
      used += taken + skipped;
      this.at += taken + skipped;
    }
  }

  /** Applies the result of one reading step. Returns the number of bytes that it used. */
  #taken(step: Exclude<Step, { need: number }>, sink: CaptureSink): number {
    if ('damaged' in step) {
      if (!this.#isLost) sink.reject('malformed', step.damaged);
      this.#isLost = true;
      return 1;
    }
    this.#isLost = false;
    this.#skip = step.skip ?? 0;
    return step.used;
  }

  #step(bytes: Buffer, sink: CaptureSink): Step {
    if (this.#format !== null) return this.#format.next(bytes, sink);
    if (bytes.length < MAGIC) return { need: MAGIC };
    if (isPcapng(bytes)) {
      this.#format = new Pcapng();
      return this.#format.next(bytes, sink);
    }
    if (!isPcap(bytes)) return { damaged: 'is no capture' };
    if (bytes.length < PCAP_HEADER) return { need: PCAP_HEADER };
    this.#format = pcapFormat(bytes);
    return { used: PCAP_HEADER };
  }

  #findIn(bytes: Buffer): number {
    if (this.#format !== null) return this.#format.find(bytes);
    const last = bytes.length - MAGIC;
    for (let at = 0; at <= last; at++) if (isCapture(bytes.subarray(at, at + MAGIC))) return at;
    return Math.max(0, last + 1);
  }
}
