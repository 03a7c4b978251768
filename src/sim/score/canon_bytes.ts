import { createHash, type Hash } from 'node:crypto';

const KINDS = { null: 0, false: 1, true: 2, number: 3, text: 4, list: 5, object: 6, raw: 7, rows: 8, end: 9 } as const;
const SIZE = 65_536;
const uuidLength = 36;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Hashes values (SHA-256) in a canonical form, which is equal on every machine. */
export class CanonBytes {
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = Buffer.alloc(SIZE);
  readonly #numbers = new Map<string, number>();
  #copy = new Float64Array(4_096);
  #at = 0;

  kind(kind: keyof typeof KINDS): void {
    this.#room(1);
    this.#buffer[this.#at++] = KINDS[kind];
  }

  number(value: number): void {
    this.kind('number');
    this.#double(value);
  }

  /**
   * Hashes a text. Each UUID in it is replaced by a number: UUIDs are numbered in the order of their first appearance
   * in the hashed data.
   */
  text(text: string): void {
    this.kind('text');
    this.#string(text.length < uuidLength ? text : text.replace(uuids, (uuid) => this.#numberOf(uuid)));
  }

  /** Hashes a field name that is encoded already. */
  name(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  raw(bytes: Uint8Array): void {
    this.kind('raw');
    this.#double(bytes.length);
    this.#flush();
    this.#hash.update(bytes);
  }

  /** Hashes packed rows. Values in the columns `times` are counted from `beginMs`. */
  rows(values: Float64Array, width: number, times: readonly number[], beginMs: number): void {
    this.kind('rows');
    this.#double(values.length);
    if (values.length === 0) return;
    if (this.#copy.length < values.length) this.#copy = new Float64Array(2 * values.length);
    const copy = this.#copy;
    for (let i = 0; i < values.length; i++) copy[i] = plain(values[i] ?? 0);
    for (const column of times)
      for (let at = column; at < values.length; at += width) copy[at] = plain((copy[at] ?? 0) - beginMs);
    this.#flush();
    this.#hash.update(new Uint8Array(copy.buffer, 0, 8 * values.length));
  }

  /** Returns the digest of all values so far, as hexadecimal digits. */
  digest(): string {
    this.#flush();
    return this.#hash.copy().digest('hex');
  }

  #double(value: number): void {
    this.#room(8);
    this.#buffer.writeDoubleLE(plain(value), this.#at);
    this.#at += 8;
  }

  #string(text: string): void {
    const length = Buffer.byteLength(text);
    this.#double(length);
    if (length > SIZE) {
      this.#flush();
      this.#hash.update(text);
      return;
    }
    this.#room(length);
    this.#at += this.#buffer.write(text, this.#at);
  }

  #numberOf(uuid: string): string {
    const known = this.#numbers.get(uuid.toLowerCase()) ?? this.#numbers.size;
    this.#numbers.set(uuid.toLowerCase(), known);
    return `#${known}`;
  }

  #room(bytes: number): void {
    if (this.#at + bytes > SIZE) this.#flush();
  }

  #flush(): void {
    if (this.#at > 0) this.#hash.update(this.#buffer.subarray(0, this.#at));
    this.#at = 0;
  }
}

/** Returns the canonical form of a number: one bit pattern for NaN, which has many, and 0 for −0. */
function plain(value: number): number {
  return Number.isNaN(value) ? Number.NaN : value + 0;
}
