import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { sentenceOf, unavailable } from '../../model/fault.ts';
import type { TrackLine } from './shown_tracks.ts';

/**
 * Output file of the tracks, with one JSON object per line. An existing file is replaced only by a complete new file,
 * so it is kept if the run fails. Errors are Faults that name the file.
 */
export class TrackFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Creates the new file beside an existing one. */
  static async open(path: string): Promise<TrackFile> {
    return new TrackFile(path, await open(partOf(path), 'w').catch((thrown) => refuse(path, thrown)));
  }

  async write(lines: readonly TrackLine[]): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await this.#handle.appendFile(text).catch((thrown) => refuse(this.#path, thrown));
  }

  /** Closes the complete new file, and lets it replace an existing one. */
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
