import { readFileSync } from 'node:fs';

function readManifest(): { version: string } {
  // build/src/host/program.js is three folders below package.json, both in a clone and in an installation.
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
}

function readBuild(): string {
  try {
    return readFileSync(new URL('../../BUILD', import.meta.url), 'utf8').trim();
  } catch {
    return 'source';
  }
}

/**
 * Name and version of this program. `build` is the commit from which a package was built; `source` in a working tree.
 */
export const program = { name: 'dunlin', version: readManifest().version, build: readBuild() };

/** Name, version and start time of the running program. */
export type About = typeof program & { startedAt: string };
