import type { Log } from '../host/journal.ts';

/**
 * Tries a write that no person requested. A disk error must not end the daemon: it is logged with the sentence, and the
 * result is false.
 */
export function tryUnasked(log: Log, sentence: string, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (thrown) {
    log.warn({ err: thrown }, sentence);
    return false;
  }
}
