import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { releaseStartPages } from '../../src/host/start_pages.ts';

/** Resident pages of files, and changed pages of their writable mappings, kB (proc_pid_status(5), proc_pid_smaps(5)). */
function resident(): { fileKb: number; changedKb: number } {
  const [, fileKb] = /^RssFile:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const changed = mappings
    .filter((mapping) => /^\S+ .w\S+ .*\/.*$/m.test(mapping))
    .map((mapping) => Number(/^Private_Dirty:\s+(\d+) kB$/m.exec(mapping)?.[1]));
  return { fileKb: Number(fileKb), changedKb: changed.reduce((sum, kb) => sum + kb, 0) };
}

t.test('pages of program files leave the process, and come back where they are used', async (t) => {
  const digest = (): string => createHash('sha256').update('Dunlin').digest('hex');
  const known = digest();
  const before = resident();
  releaseStartPages();
  const after = resident();
  t.comment(`pages of files: ${before.fileKb} → ${after.fileKb} kB`);
  t.ok(after.fileKb < before.fileKb / 2, 'more than half of the pages of files left');
  t.ok(before.changedKb > 0 && after.changedKb >= before.changedKb, 'changed pages of writable mappings stay');
  t.equal(digest(), known, 'code that was removed runs as before');
});
