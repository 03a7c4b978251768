import { createRequire } from 'node:module';

/**
 * Removes pages of the program's files from memory: a tenth of the daemon's resident memory is code and tables of Node.js
 * that only its start used. Pages that are used again come back within a second, from the system's cache.
 */
export function releaseStartPages(): void {
  const addon = createRequire(import.meta.url)('#native') as { releaseProgramPages(): void };
  addon.releaseProgramPages();
}
