import { readFileSync } from 'node:fs';

function readManifest(): { version: string } {
  // build/src/host/program.js stands three folders below package.json, in a clone and when installed.
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
}

function readBuild(): string {
  try {
    return readFileSync(new URL('../../BUILD', import.meta.url), 'utf8').trim();
  } catch {
    return 'source';
  }
}

/** Name and version of this program. `build` is the commit of a package, or `source` in a working tree. */
export const program = { name: 'dunlin', version: readManifest().version, build: readBuild() };

/** The running program. */
export type About = typeof program & { startedAt: string };
