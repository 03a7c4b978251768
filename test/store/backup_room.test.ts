import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { checkRoom } from '../../src/store/backup_room.ts';
import { folderOf } from '../support/basics/folder.ts';
import { mountRefused, mountSmall } from '../support/store/full_disk.ts';

const skip = mountRefused();

function dataOf(folder: string, bytes: number): string {
  const dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'history'), { recursive: true });
  writeFileSync(join(dataDir, 'state.db'), Buffer.alloc(bytes));
  writeFileSync(join(dataDir, 'history/2026-01-02.db-wal'), Buffer.alloc(bytes));
  return dataDir;
}

t.test('a backup without room is refused before a byte is copied', { skip }, async (t) => {
  const folder = folderOf(t);
  const dataDir = dataOf(folder, 2e6);
  const small = join(folder, 'small');
  mkdirSync(small);
  mountSmall(t, small, 3);
  t.throws(() => checkRoom(dataDir, join(small, 'new/backup')), {
    code: 'unavailable',
    message:
      /^the backup needs 4 MB, and \d MB are free in .*small: delete old backups there, or back up to another disk$/,
  });
  t.doesNotThrow(() => checkRoom(dataDir, join(folder, 'backup')));
});

t.test('on the disk of the data, a backup leaves room for the daemon', { skip }, async (t) => {
  const folder = folderOf(t);
  mountSmall(t, folder, 100);
  t.throws(() => checkRoom(dataOf(folder, 1e6), join(folder, 'backup')), { message: /needs 202 MB/ });
});
