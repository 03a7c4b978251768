import { readFileSync } from 'node:fs';

function readManifest(): { version: string } {
  // build/src/cli/program.js stands three folders below package.json, in a clone and when installed.
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
}

function readBuild(): string {
  try {
    return readFileSync(new URL('../../BUILD', import.meta.url), 'utf8').trim();
  } catch {
    return 'source';
  }
}

/** What this program calls itself. `build` names the commit a package was made of, `source` in a working tree. */
export const program = { name: 'dunlin', version: readManifest().version, build: readBuild() };
