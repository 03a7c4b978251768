import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtNative } from '../../test/support/references/built_native.ts';

/** As the addon is built. */
const FLAGS = ['-O3', '-fno-math-errno'];

/** The least that a tracker can do, native/test/tracker_floor.cc: what the whole one costs is told beside it. */
export class TrackerFloor {
  readonly #folder: string;
  readonly #program: string;

  private constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#program = program;
  }

  static async build(): Promise<TrackerFloor> {
    const folder = mkdtempSync(join(tmpdir(), 'dunlin-floor-'));
    return new TrackerFloor(folder, await builtNative('tracker_floor', FLAGS));
  }

  /** Nanoseconds of CPU time of a plot; the first `warm` looks are not counted. */
  cost(looks: readonly Float64Array[], warm: number): number {
    const file = join(this.#folder, 'looks');
    const parts = looks.flatMap((rows) => [Float64Array.of(rows.length), rows]);
    writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))));
    return Number(execFileSync(this.#program, [file, String(warm)], { encoding: 'utf8' }).split(' ')[0]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
