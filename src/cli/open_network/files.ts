import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { moveIntoPlace } from '../../store/place.ts';

/** Returns the text of a file; null if the file does not exist. */
export function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/**
 * Replaces a file atomically: a reader gets either the old or the new text. Mode and owner are taken from the file
 * `like`, by default the replaced file. If `like` does not exist, the mode is 0644 and the owner is this user.
 */
export function replaceFile(path: string, text: string, like = path): void {
  const before = statSync(like, { throwIfNoEntry: false });
  moveIntoPlace(path, (part) => {
    writeFileSync(part, text, { flag: 'wx', mode: 0o600 });
    if (before && (before.uid !== process.geteuid?.() || before.gid !== process.getegid?.()))
      chownSync(part, before.uid, before.gid);
    chmodSync(part, before ? before.mode & 0o7777 : 0o644);
  });
}
