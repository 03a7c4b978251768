import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openState } from '../../src/store/state.ts';

t.test('a box whose restore was interrupted does not start as a new one', (t) => {
  const dataDir = join(t.testdir(), 'data');
  const part = `${dataDir}.restore-part`;
  const older = `${dataDir}.before-restore-20260102T030405Z`;
  const newer = `${dataDir}.before-restore-20260103T030405Z`;
  const cases: [folders: string[], message: string][] = [
    [
      [part, older, newer],
      `A restore was interrupted: rename ${part} to ${dataDir} to finish it, or ${newer} to ${dataDir} to undo it.`,
    ],
    [[part], `A restore was interrupted: repeat it, or delete ${part} to start without data.`],
    [[older], `Rename ${older} to ${dataDir}, or move it away to start without data.`],
  ];
  for (const [folders, advice] of cases) {
    for (const folder of folders) mkdirSync(folder);
    const refusal = { code: 'unavailable', message: `The data folder ${dataDir} is missing or empty. ${advice}` };
    t.throws(() => openState(dataDir), refusal);
    t.notOk(existsSync(dataDir), 'no folder is created');
    mkdirSync(dataDir);
    t.throws(() => openState(dataDir), refusal, 'as systemd leaves it');
    for (const folder of [dataDir, ...folders]) rmSync(folder, { recursive: true });
  }
  t.end();
});

t.test('a box that has its data starts beside the folders of an earlier restore', (t) => {
  const dataDir = join(t.testdir(), 'data');
  openState(dataDir).close();
  mkdirSync(`${dataDir}.before-restore-20260102T030405Z`);
  mkdirSync(`${dataDir}.restore-part`);
  openState(dataDir).close();
  t.end();
});
