import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import { restoreData } from '../../src/store/restore.ts';
import { takeTime } from '../support/basics/patience.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { fieldBox } from '../support/daemon/field_box.ts';

takeTime(t, 60);

t.test('restores within one second each keep the folder that stood there', async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.start();
  t.equal(await daemon.end(), 0);
  const backup = join(box.folder, 'backup');
  t.equal((await dunlin(t, 'backup', backup, '--data', box.dataDir)).code, 0);
  const restoring = {
    time: '20260102T030405Z',
    at: '2026-01-02T03:04:05.000Z',
    by: systemActor,
    revokeKeys: false,
  };
  const kept: (string | null)[] = [];
  for (let round = 0; round < 3; round += 1)
    kept.push((await restoreData(backup, box.dataDir, restoring, () => {})).keptAs);
  const first = `${box.dataDir}.before-restore-20260102T030405Z`;
  t.same(kept, [first, `${first}-2`, `${first}-3`]);
  for (const folder of kept) t.ok(readdirSync(folder ?? '').includes('state.db'), `${folder} is whole`);
});
