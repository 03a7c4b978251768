/**
 * Bytes of a stream that wait for the rest of their record. The buffer grows by doubling, so that single bytes do not
 * each cost a copy.
 */
export class ByteQueue {
  #buffer: Buffer = Buffer.alloc(0);
  #begin = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#begin;
  }

  /** Returns the waiting bytes. The view is valid until the next `append`. */
  view(): Buffer {
    return this.#buffer.subarray(this.#begin, this.#end);
  }

  append(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#buffer.length) this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  drop(count: number): void {
    this.#begin += count;
    if (this.#begin < this.#end) return;
    this.#begin = 0;
    this.#end = 0;
  }

  clear(): void {
    this.#buffer = Buffer.alloc(0);
    this.#begin = 0;
    this.#end = 0;
  }

  #grow(more: number): void {
    const needed = this.length + more;
    const target = needed > this.#buffer.length / 2 ? Buffer.alloc(Math.max(256, 2 * needed)) : this.#buffer;
    this.#buffer.copy(target, 0, this.#begin, this.#end);
    this.#end = this.length;
    this.#begin = 0;
    this.#buffer = target;
  }
}
