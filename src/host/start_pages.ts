import { createRequire } from 'node:module';

/**
 * Removes pages of program files from the daemon's memory. A tenth of it is code and tables of Node.js that only the start
 * used. A page that is used again comes back from the system's cache.
 */
export function releaseStartPages(): void {
  const addon = createRequire(import.meta.url)('#native') as { releaseProgramPages(): void };
  addon.releaseProgramPages();
}
