import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { sentenceOf, unavailable } from '../../model/fault.ts';
import type { TrackLine } from './shown_tracks.ts';

/**
 * The file that the tracks go to, a JSON object a line: what stood there stays until all is written, and where nothing
 * came of it. Whatever goes wrong with it is a Fault that names it.
 */
export class TrackFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Makes the file anew, beside the one that is there. */
  static async open(path: string): Promise<TrackFile> {
    return new TrackFile(path, await open(partOf(path), 'w').catch((thrown) => refuse(path, thrown)));
  }

  async write(lines: readonly TrackLine[]): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await this.#handle.appendFile(text).catch((thrown) => refuse(this.#path, thrown));
  }

  /** Ends the file: the complete new file replaces the earlier one. */
  async finish(): Promise<void> {
    await this.#handle.close().catch((thrown) => refuse(this.#path, thrown));
    await rename(partOf(this.#path), this.#path).catch((thrown) => refuse(this.#path, thrown));
  }

  /** Deletes the unfinished file. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(partOf(this.#path), { force: true });
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

function refuse(path: string, thrown: unknown): never {
  throw unavailable(`cannot write ${path}: ${sentenceOf(thrown)}`, { cause: thrown });
}
