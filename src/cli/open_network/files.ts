import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '../../store/place.ts';

/** Text of a file; null where there is none. */
export function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/**
 * Replaces a file at once: its name always leads to the old or the new text. Mode and owner of `like` stay, by default those
 * of the file itself; a new file has the mode 0644.
 */
export function replaceFile(path: string, text: string, like = path): void {
  const before = statSync(like, { throwIfNoEntry: false });
  const part = `${path}.part`;
  rmSync(part, { force: true });
  const file = openSync(part, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    if (before && (before.uid !== process.geteuid?.() || before.gid !== process.getegid?.()))
      fchownSync(file, before.uid, before.gid);
    fchmodSync(file, before ? before.mode & 0o7777 : 0o644);
    fsyncSync(file);
  } catch (thrown) {
    rmSync(part, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  syncPath(dirname(path));
}
