import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { auditKey } from '../../src/store/audit_key.ts';
import { copyData } from '../../src/store/backup.ts';
import { withDatabase } from '../../src/store/database.ts';
import { takeTime } from '../support/basics/patience.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { mountRefused, mountSmall } from '../support/store/full_disk.ts';

takeTime(t, 60);

t.test('a backup onto a full disk fails, and does not leave out days', { skip: mountRefused() }, async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.start();
  t.equal(await daemon.end(), 0);
  withDatabase(join(box.dataDir, 'history', '2026-01-02.db'), { fileMustExist: false }, (db) => {
    db.exec('CREATE TABLE filled (bytes BLOB)');
    db.prepare('INSERT INTO filled VALUES (randomblob(?))').run(8 * 1024 * 1024);
  });
  const small = join(box.folder, 'small');
  mkdirSync(small);
  mountSmall(t, small, 6);
  const key = auditKey(box.dataDir, null, false);
  await t.rejects(
    copyData(box.dataDir, small, key, '2026-01-03T00:00:00.000Z', () => {}),
    { code: 'SQLITE_FULL' },
  );
});
