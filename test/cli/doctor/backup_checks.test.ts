import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { checkBackups } from '../../../src/cli/doctor/backup_checks.ts';
import { folderOf } from '../../support/basics/folder.ts';

const nowMs = Date.parse('2026-01-10T12:00:00.000Z');

function dataOf(t: Test, firstDay: string): string {
  const dataDir = join(folderOf(t), 'data');
  mkdirSync(join(dataDir, 'history'), { recursive: true });
  writeFileSync(join(dataDir, `history/${firstDay}.db`), '');
  return dataDir;
}

function backup(dataDir: string, madeAt: string): string {
  const path = `${dataDir}-backups/${madeAt.slice(0, 10)}`;
  mkdirSync(path, { recursive: true });
  const about = { product: 'dunlin', version: '1.0.0', build: 'x', made_at: madeAt };
  const versions = { schema_version: 1, day_file_version: 1 };
  writeFileSync(join(path, 'manifest.json'), JSON.stringify({ ...about, ...versions, files: [] }));
  writeFileSync(join(path, 'state.db'), '');
  return path;
}

t.test('a newest backup of more than two days ago is a warning with its path and time', async (t) => {
  const dataDir = dataOf(t, '2026-01-01');
  const old = backup(dataDir, '2026-01-07T02:30:00.000Z');
  t.match(checkBackups(dataDir, nowMs), [
    { check: 'backups', state: 'warning', text: `the newest backup is ${old}, of 2026-01-07T02:30:00.000Z` },
  ]);
  const fresh = backup(dataDir, '2026-01-09T02:30:00.000Z');
  t.match(checkBackups(dataDir, nowMs), [
    { state: 'ok', text: `the newest backup is ${fresh}, of 2026-01-09T02:30:00.000Z`, advice: null },
  ]);
});

t.test('a box without a backup gets a warning when its history is older than two days', async (t) => {
  t.same(checkBackups(dataOf(t, '2026-01-09'), nowMs), []);
  t.match(checkBackups(dataOf(t, '2026-01-08'), nowMs), [
    { state: 'warning', text: 'no backup of the data was found', advice: /make a backup: dunlin backup TO --data / },
  ]);
});
