import { type FileHandle, open } from 'node:fs/promises';
import { Fault, sentenceOf } from '../../model/fault.ts';

/** What is looked at to tell a file's form. */
const HEAD_BYTES = 65_536;
/** Small, because what has been read is what a person sees as progress. */
const CHUNK_BYTES = 8_192;

/** A file read from its beginning, a piece at a time. */
export class CaptureFile {
  readonly #path: string;
  #handle: FileHandle | null = null;
  #sizeBytes = 0;
  #readBytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file and answers its first 64 KiB, which `chunks` gives again. */
  async open(): Promise<Buffer> {
    try {
      this.#handle = await open(this.#path, 'r');
      const stat = await this.#handle.stat();
      if (stat.isDirectory()) throw new Error('it is a folder');
      this.#sizeBytes = stat.size;
      this.#readBytes = 0;
      return await this.#read(0, HEAD_BYTES);
    } catch (thrown) {
      await this.close();
      const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
      const sentence = isMissing
        ? `there is no file ${this.#path}`
        : `cannot read ${this.#path}: ${sentenceOf(thrown)}`;
      throw new Fault('not_found', sentence, { cause: thrown });
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  progress(): number {
    return this.#sizeBytes === 0 ? 0 : Math.min(1, this.#readBytes / this.#sizeBytes);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = await this.#read(this.#readBytes, CHUNK_BYTES);
      if (chunk.length === 0) return;
      this.#readBytes += chunk.length;
      yield chunk;
    }
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = (await this.#handle?.read(buffer, 0, length, position)) ?? { bytesRead: 0 };
    return buffer.subarray(0, bytesRead);
  }
}
