import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { recordInRecovery, takeInRecovery } from '../../src/store/recovery_audit.ts';
import { type AuditBench, auditBench } from '../support/daemon/audit.ts';

const FILE = 'audit.recovery.jsonl';

/** A folder with the side file of two starts in recovery, two rows each, whose lines `edit` changes. */
function recovered(t: Test, edit: (lines: string[]) => string[]): AuditBench {
  const good = auditBench(t);
  for (let start = 0; start < 2; start++) {
    const inMemory = auditBench(t);
    recordInRecovery(good.folder, inMemory.ledger, good.key, t.fail);
    inMemory.note();
    inMemory.note();
  }
  const path = join(good.folder, FILE);
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  t.equal(lines.length, 4);
  writeFileSync(path, edit(lines).join('\n'));
  takeInRecovery(good.state, good.ledger, good.folder, good.key);
  return good;
}

function kindsOf({ ledger }: AuditBench): string[] {
  return ledger.audit.since(0).map(({ kind }) => kind);
}

t.test('the whole file is taken in without a cut, also with a line that broke off', async (t) => {
  const rows = Array<string>(4).fill('sensor.changed');
  t.same(kindsOf(recovered(t, (lines) => lines)), [...rows, 'audit.recovered']);
  t.notOk(kindsOf(recovered(t, (lines) => lines.toSpliced(2, 0, '{"n":3,"pr'))).includes('audit.cut'));
});

t.test('a line that is missing, changed or out of order is a cut', async (t) => {
  const missing = [0, 1, 2].map((i) => (lines: string[]) => lines.toSpliced(i, 1));
  const changed = (lines: string[]) => lines.with(1, lines[1]?.replace('mast', 'mist') ?? '');
  for (const edit of [...missing, changed, (lines: string[]) => lines.toReversed()]) {
    const [cut] = recovered(t, edit)
      .ledger.audit.since(0)
      .filter(({ kind }) => kind === 'audit.cut');
    t.match(cut, { severity: 'critical', text: /rows are missing from audit\.recovery\.jsonl/ });
  }
});

t.test('lines cut from the end of the file, or the whole file, are a cut', async (t) => {
  for (const left of [3, 1, 0]) {
    const good = recovered(t, (lines) => lines.slice(0, left));
    const [cut] = good.ledger.audit.since(0).filter(({ kind }) => kind === 'audit.cut');
    t.match(cut, { severity: 'critical', text: /ends at line \d, but state\.marker says that it reached line 4/ });
  }
});

t.test('a later start in recovery does not hide that the file was removed', async (t) => {
  for (const name of [FILE, null]) {
    const good = auditBench(t);
    const inMemory = auditBench(t);
    const stop = recordInRecovery(good.folder, inMemory.ledger, good.key, t.fail);
    inMemory.note();
    stop();
    if (name !== null) rmSync(join(good.folder, name));
    const again = auditBench(t);
    recordInRecovery(good.folder, again.ledger, good.key, t.fail);
    again.note();
    takeInRecovery(good.state, good.ledger, good.folder, good.key);
    t.equal(kindsOf(good).includes('audit.cut'), name !== null);
  }
});
