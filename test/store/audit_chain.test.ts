import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { auditColumns } from '../../src/store/audit.ts';
import { verifyChain } from '../../src/store/audit_chain.ts';
import { pruneAudit } from '../../src/store/audit_checkpoint.ts';
import { readHead, writeHead } from '../../src/store/audit_head.ts';
import { auditKey } from '../../src/store/audit_key.ts';
import { readWitness } from '../../src/store/audit_seal.ts';
import { AuditSupervisor } from '../../src/store/audit_supervisor.ts';
import { type AuditBench, auditBench, withoutGuards } from '../support/daemon/audit.ts';

const columns = auditColumns.split(',').map((column) => column.trim());

function check(bench: AuditBench) {
  return verifyChain(bench.state.db, bench.key, readWitness(bench.state.db, bench.folder));
}

/** A clock that is trusted to say what is old. */
function cutoffOf({ clock }: AuditBench): (days: number) => number {
  return (days) => clock.ms - days * 86_400_000;
}

function filled(t: { teardown(act: () => unknown): unknown }, rows = 9): AuditBench {
  const bench = auditBench(t);
  for (let i = 0; i < rows; i++) {
    bench.clock.ms += 1_000;
    bench.note({ policyVersion: i, correlationId: `c${i}` });
  }
  return bench;
}

function noteHead(bench: AuditBench): void {
  const head = bench.ledger.audit.head();
  if (head) writeHead(bench.folder, { ...head, at: bench.ledger.nowText() }, bench.key);
}

t.test('a chain as it was written is whole, from its first row to its last', async (t) => {
  const bench = filled(t);
  noteHead(bench);
  const report = check(bench);
  t.same(report, {
    rows: 9,
    from: { seq: 1, at: '2026-03-04T12:00:01.000Z' },
    to: { seq: 9, at: '2026-03-04T12:00:09.000Z' },
    broken: null,
    unchecked: [],
  });
  t.same(check(auditBench(t)).broken, null, 'and so is one without rows');
});

t.test('a text that the database cannot keep as it is does not break the chain', async (t) => {
  const bench = auditBench(t);
  bench.note({ text: 'half \ud800 a pair', reason: '\udc00', correlationId: 'nul \u0000 in it' });
  bench.note({});
  t.match(check(bench), { rows: 2, broken: null });
  t.equal(bench.ledger.audit.since(0)[0]?.text, 'half \ufffd a pair');
});

t.test('a change of any column of any row is found, and the row named', async (t) => {
  for (const column of columns) {
    const bench = filled(t, 4);
    const value = { seq: 77, policy_version: 99, at: '2026-03-04T12:00:02.001Z' }[column] ?? '{"a":"tampered"}';
    withoutGuards(bench.state.db, () => {
      // Of the last row the number alone leaves the order as it was.
      bench.state.db.prepare(`UPDATE audit SET ${column} = ? WHERE seq = 2`).run(value);
    });
    const { broken } = check(bench);
    const named = column === 'seq' ? 3 : 2;
    t.equal(broken?.seq, named, column);
    t.match(
      broken?.why,
      column === 'seq' || column === 'prev_hash' ? /does not follow/ : /hash does not match/,
      column,
    );
    t.ok(broken?.kind && broken.at, 'with its kind and time');
  }
});

t.test('a value that became null, and a null that became a value, are found', async (t) => {
  for (const column of ['workspace_id', 'subject', 'before', 'after', 'reason', 'correlation_id', 'policy_version']) {
    const bench = filled(t, 3);
    withoutGuards(bench.state.db, () => bench.state.db.exec(`UPDATE audit SET ${column} = NULL WHERE seq = 2`));
    t.equal(check(bench).broken?.seq, 2, column);
  }
});

t.test('a row that was taken out, first or in between, is found by the row after it', async (t) => {
  for (const seq of [1, 4, 8]) {
    const bench = filled(t);
    withoutGuards(bench.state.db, () => bench.state.db.prepare('DELETE FROM audit WHERE seq = ?').run(seq));
    const { broken } = check(bench);
    t.equal(broken?.seq, seq + 1);
    t.match(broken?.why, /a row between them is missing/);
  }
});

t.test('two rows that changed places are found, and a row that was put in', async (t) => {
  const bench = filled(t);
  withoutGuards(bench.state.db, () =>
    bench.state.db.exec(`UPDATE audit SET seq = 1000 WHERE seq = 3; UPDATE audit SET seq = 3 WHERE seq = 4;
      UPDATE audit SET seq = 4 WHERE seq = 1000`),
  );
  t.equal(check(bench).broken?.seq, 3);
  const other = filled(t);
  const rest = columns.filter((column) => column !== 'seq' && column !== 'id').join(', ');
  withoutGuards(other.state.db, () =>
    other.state.db.exec(`UPDATE audit SET seq = 20 WHERE seq = 9;
      INSERT INTO audit (seq, id, ${rest}) SELECT 10, 'x', ${rest} FROM audit WHERE seq = 5`),
  );
  t.equal(check(other).broken?.seq, 10);
});

t.test('a tail that was cut off is found by the note of where the chain had come to', async (t) => {
  const bench = filled(t);
  noteHead(bench);
  withoutGuards(bench.state.db, () => bench.state.db.exec('DELETE FROM audit WHERE seq > 6'));
  t.match(check(bench).broken, { seq: 6, why: /it reached row 9: rows are missing at its end/ });
  rmSync(join(bench.folder, 'audit.head'));
  t.match(check(bench).broken, { why: /audit\.head\) is missing/ }, 'the chain itself cannot tell without the note');
});

t.test('a tail that was written anew is found, and so is a note that somebody made up', async (t) => {
  const bench = filled(t);
  noteHead(bench);
  withoutGuards(bench.state.db, () => bench.state.db.exec('DELETE FROM audit WHERE seq > 6'));
  for (let i = 0; i < 3; i++) bench.note({ text: 'nothing happened here' });
  t.match(
    check(bench).broken,
    { seq: 9, why: /is missing: it existed on .*, and later rows follow/ },
    'though the chain itself is whole',
  );
  const head = readHead(bench.folder);
  if (head === null || head === 'unreadable') throw new Error('there is a note');
  writeFileSync(join(bench.folder, 'audit.head'), JSON.stringify({ ...head, seq: 6 }));
  t.match(check(bench).broken?.why, /wrong signature|another hash/);
  writeFileSync(join(bench.folder, 'audit.head'), 'x');
  t.match(check(bench).broken?.why, /cannot be read/);
});

t.test('rows are pruned up to a signed checkpoint, and the chain goes on from there', async (t) => {
  const bench = filled(t);
  const { state, key, ledger } = bench;
  const before = '2026-03-04T12:00:05.000Z';
  t.equal(
    state.write('pruning', () => pruneAudit(state, before, ledger.nowText(), key)),
    4,
  );
  bench.note();
  t.match(check(bench), { rows: 6, from: { seq: 5 }, broken: null });
  t.equal(
    state.write('pruning', () => pruneAudit(state, '2027-01-01T00:00:00.000Z', ledger.nowText(), key)),
    5,
  );
  t.match(check(bench), { rows: 1, broken: null }, 'the last row stays: the chain needs its end');
  // Not every hash has a given digit: its first becomes another one.
  const forge = "UPDATE audit_checkpoints SET hash = iif(hash LIKE '0%', '1', '0') || substr(hash, 2)";
  withoutGuards(state.db, () => state.db.exec(forge));
  t.match(check(bench).broken, { kind: 'checkpoint', why: /signature of the checkpoint is wrong/ });
});

t.test('nobody cuts the beginning of the chain with a checkpoint of his own', async (t) => {
  const bench = filled(t);
  const row = bench.state.db.prepare('SELECT hash FROM audit WHERE seq = 5').get() as { hash: string };
  const at = bench.ledger.nowText();
  bench.state.db
    .prepare('INSERT INTO audit_checkpoints VALUES (5, ?, ?, ?)')
    .run(row.hash, at, `box:${'0'.repeat(64)}`);
  bench.state.db.exec('DELETE FROM audit WHERE seq <= 5');
  t.match(check(bench).broken, { seq: 5, why: /signature/ });
  t.throws(() => bench.state.db.exec('DELETE FROM audit'), /pruned only up to a signed checkpoint/);
  t.throws(() => bench.state.db.exec("UPDATE audit SET text = 'x'"), /appended only/);
});

t.test('rows of a clock that had not been set are not taken for old ones', async (t) => {
  const bench = auditBench(t);
  bench.clock.ms = Date.UTC(1970, 0, 2);
  bench.note();
  bench.clock.ms = Date.UTC(2026, 0, 2);
  bench.note();
  bench.clock.ms = Date.UTC(2040, 0, 2);
  const keep = { cutoffMs: cutoffOf(bench), days: 3_650, onTrouble: t.fail, onAlarm: (text: string) => t.fail(text) };
  new AuditSupervisor({ ...bench, ...keep }).prune();
  t.match(check(bench), { rows: 2, broken: null });
});

t.test('the keeper prunes what is old, tells of it, and waits while anything is under hold', async (t) => {
  const bench = filled(t);
  bench.clock.ms += 20 * 86_400_000;
  const keeper = new AuditSupervisor({
    ...bench,
    days: 10,
    cutoffMs: cutoffOf(bench),
    onTrouble: t.fail,
    onAlarm: (text: string) => t.fail(text),
  });
  bench.note();
  const hold = [bench.workspaceId, 'case', bench.ledger.nowText(), 'user:anna'];
  bench.state.db.prepare('INSERT INTO holds VALUES (?, ?, NULL, 0, NULL, ?, ?, ?)').run('h1', ...hold);
  keeper.prune();
  t.equal(check(bench).rows, 10);
  bench.state.db.exec('DELETE FROM holds');
  keeper.prune();
  t.match(check(bench), { rows: 2, broken: null });
  const kinds = bench.state.db.prepare('SELECT kind FROM audit ORDER BY seq').pluck().all();
  t.same(kinds, ['sensor.changed', 'audit.pruned']);
});

t.test('a start that finds the tail cut says so in the chain', async (t) => {
  const bench = filled(t);
  noteHead(bench);
  withoutGuards(bench.state.db, () => bench.state.db.exec('DELETE FROM audit WHERE seq > 6'));
  const alarms: string[] = [];
  const onAlarm = (text: string): void => void alarms.push(text);
  const keep = { days: 10, cutoffMs: cutoffOf(bench), onTrouble: t.fail, onAlarm };
  const keeper = new AuditSupervisor({ ...bench, ...keep });
  keeper.start();
  keeper.stop();
  t.match(alarms, [/ends at row 6, but it reached row 9 on/]);
  const last = bench.state.db.prepare('SELECT kind, severity FROM audit ORDER BY seq DESC LIMIT 1').get();
  t.same(last, { kind: 'audit.cut', severity: 'critical' });
});

t.test('a signature of a key that is not here is told of and not taken for wrong', async (t) => {
  const bench = filled(t);
  noteHead(bench);
  const secret = join(bench.folder, 'secret');
  writeFileSync(secret, 'x'.repeat(44));
  const head = bench.ledger.audit.head();
  if (head) writeHead(bench.folder, { ...head, at: bench.ledger.nowText() }, auditKey(bench.folder, secret, false));
  t.match(check(bench), { broken: null, unchecked: [/is not available/] });
  const witness = readWitness(bench.state.db, bench.folder);
  t.match(verifyChain(bench.state.db, auditKey(bench.folder, secret, false), witness), {
    broken: null,
    unchecked: [],
  });
});
