import { lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import { restoreData } from '../../src/store/restore.ts';
import { takeTime } from '../support/basics/patience.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { mountRefused, mountSmall } from '../support/store/full_disk.ts';

takeTime(t, 60);

const restoring = { time: '20260102T030405Z', at: '2026-01-02T03:04:05.000Z', by: systemActor, revokeKeys: false };

async function backedUp(t: Test) {
  const box = fieldBox(t, '');
  const daemon = await box.start();
  t.equal(await daemon.end(), 0);
  const backup = join(box.folder, 'backup');
  t.equal((await dunlin(t, 'backup', backup, '--data', box.dataDir)).code, 0);
  return { box, backup };
}

t.test('restores within one second each keep the folder that stood there', async (t) => {
  const { box, backup } = await backedUp(t);
  const kept: (string | null)[] = [];
  for (let round = 0; round < 3; round += 1)
    kept.push((await restoreData(backup, box.dataDir, restoring, () => {})).keptAs);
  const first = `${box.dataDir}.before-restore-20260102T030405Z`;
  t.same(kept, [first, `${first}-2`, `${first}-3`]);
  for (const folder of kept) t.ok(readdirSync(folder ?? '').includes('state.db'), `${folder} is whole`);
});

t.test('behind a link, the folder to which it points is exchanged', async (t) => {
  const { box, backup } = await backedUp(t);
  const link = join(box.folder, 'link');
  symlinkSync(box.dataDir, link);
  const { keptAs } = await restoreData(backup, link, restoring, () => {});
  t.equal(keptAs, `${box.dataDir}.before-restore-20260102T030405Z`);
  t.ok(lstatSync(link).isSymbolicLink());
  t.ok(readdirSync(link).includes('state.db'));
});

t.test('a data folder that is a mount point is refused before a copy', { skip: mountRefused() }, async (t) => {
  const { box, backup } = await backedUp(t);
  const mounted = join(box.folder, 'mounted');
  mkdirSync(mounted);
  mountSmall(t, mounted, 4);
  await t.rejects(
    restoreData(backup, mounted, restoring, () => {}),
    {
      code: 'conflict',
      message: /mounted is a mount point and cannot be exchanged/,
    },
  );
  t.same(readdirSync(mounted), []);
});
