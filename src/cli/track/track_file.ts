import { type FileHandle, open } from 'node:fs/promises';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { TrackLine } from './shown_tracks.ts';

/** The file that the tracks go to, a JSON object a line. Whatever goes wrong with it is a Fault that names it. */
export class TrackFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Makes the file anew. */
  static async open(path: string): Promise<TrackFile> {
    return new TrackFile(path, await open(path, 'w').catch((thrown) => refuse(path, thrown)));
  }

  async write(lines: readonly TrackLine[]): Promise<void> {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await this.#handle.appendFile(text).catch((thrown) => refuse(this.#path, thrown));
  }

  async close(): Promise<void> {
    await this.#handle.close().catch((thrown) => refuse(this.#path, thrown));
  }
}

function refuse(path: string, thrown: unknown): never {
  throw new Fault('unavailable', `cannot write ${path}: ${sentenceOf(thrown)}`, { cause: thrown });
}
