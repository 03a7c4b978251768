import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { releaseStartPages } from '../../src/host/start_pages.ts';

/** Resident pages of files, and of memory of this process alone, kB (proc_pid_status(5)). */
function resident(): { fileKb: number; ownKb: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const kb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return { fileKb: kb('RssFile'), ownKb: kb('RssAnon') };
}

t.test('pages of program files leave the process, and come back where they are used', async (t) => {
  const digest = (): string => createHash('sha256').update('Dunlin').digest('hex');
  const known = digest();
  const before = resident();
  releaseStartPages();
  const after = resident();
  t.comment(`pages of files: ${before.fileKb} → ${after.fileKb} kB`);
  t.ok(after.fileKb < before.fileKb / 2, 'more than half of the pages of files left');
  t.ok(after.ownKb > before.ownKb - 4_000, 'the memory of the process itself stays');
  t.equal(digest(), known, 'code that was removed runs as before');
});
