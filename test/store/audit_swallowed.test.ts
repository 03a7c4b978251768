import Database from 'better-sqlite3';
import t from 'tap';
import { AuditSupervisor } from '../../src/store/audit_supervisor.ts';
import { migrate } from '../../src/store/migrate.ts';
import { stateMigrations } from '../../src/store/migrations/index.ts';
import { schemaFault } from '../../src/store/schema_fault.ts';
import { auditBench } from '../support/daemon/audit.ts';

const swallowing = {
  'is ignored as it is written':
    "CREATE TRIGGER zz BEFORE INSERT ON audit WHEN NEW.kind LIKE 'user%' BEGIN SELECT RAISE(IGNORE); END",
  'is refused as it is written':
    "CREATE TRIGGER zz BEFORE INSERT ON audit WHEN NEW.kind LIKE 'user%' BEGIN SELECT RAISE(ABORT, 'no'); END",
  'is removed once it is written':
    "CREATE TRIGGER zz AFTER INSERT ON audit WHEN NEW.kind LIKE 'user%' BEGIN DELETE FROM audit WHERE seq = NEW.seq; END",
  'is changed once it is written':
    "CREATE TRIGGER zz AFTER INSERT ON audit WHEN NEW.kind LIKE 'user%' BEGIN UPDATE audit SET text = 'x' WHERE seq = NEW.seq; END",
  'is followed by another':
    "CREATE TRIGGER zz AFTER INSERT ON audit WHEN NEW.kind = 'user.created' BEGIN INSERT INTO audit SELECT NEW.seq + 1, 'x', workspace_id, at, 'y', severity, actor, subject, text, before, after, reason, correlation_id, policy_version, provenance, prev_hash, hash FROM audit WHERE seq = NEW.seq; END",
};

for (const [how, sql] of Object.entries(swallowing)) {
  t.test(`a change whose audit row ${how} is refused, and nothing of it stays`, async (t) => {
    const { state, ledger, note } = auditBench(t);
    note();
    // Dropped and not put back: a trigger could not touch the row otherwise.
    state.db.exec(`DROP TRIGGER audit_is_not_rewritten; DROP TRIGGER audit_is_not_cut; ${sql}`);
    const add = (): unknown =>
      ledger.change('The user mallory', () => {
        state.db.prepare("INSERT INTO meta VALUES ('mallory', '1')").run();
        const deed = { kind: 'user.created', text: 'mallory', workspaceId: null } as const;
        return { result: undefined, deed: { ...deed, by: { type: 'system', id: 's', name: 's', address: null } } };
      });
    t.throws(add, { code: 'unavailable', message: /the row user\.created could not be added to the audit log/ });
    t.equal(state.db.prepare("SELECT 1 FROM meta WHERE key = 'mallory'").get(), undefined);
    t.equal(ledger.audit.lastSeq(), 1);
    note();
    t.equal(ledger.audit.since(0).length, 2, 'other rows are written');
  });
}

const foreign: [sql: string, why: RegExp][] = [
  ['CREATE TRIGGER zz BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END', /has the trigger "zz" on "audit"/],
  ['CREATE TRIGGER zz AFTER INSERT ON users BEGIN SELECT 1; END', /has the trigger "zz" on "users"/],
  ['CREATE VIEW zz AS SELECT 1', /has the view "zz"/],
  ['CREATE TABLE zz (a)', /has the table "zz"/],
  ['CREATE UNIQUE INDEX zz ON audit (kind)', /has the index "zz" on "audit"/],
  ['DROP TRIGGER audit_is_not_cut', /lacks the trigger "audit_is_not_cut"/],
  ['ALTER TABLE audit ADD COLUMN zz TEXT', /has the table "audit" in another form/],
  ['PRAGMA user_version = 99', /schema 99/],
];

t.test('what the migrations did not make in state.db is named', async (t) => {
  t.equal(schemaFault(auditBench(t).state.db), null);
  for (const [sql, why] of foreign) {
    const { state } = auditBench(t);
    state.db.exec(sql);
    t.match(schemaFault(state.db), why, sql);
  }
});

t.test('a database of each earlier schema is as its migrations made it', async (t) => {
  for (const { version } of stateMigrations) {
    const db = new Database(':memory:');
    migrate(db, ':memory:', stateMigrations.slice(0, version));
    t.equal(schemaFault(db), null, `${version}`);
    db.close();
  }
});

t.test('a start that finds a foreign trigger raises an alarm and writes a row', async (t) => {
  const { state, ledger, key } = auditBench(t);
  const alarms: string[] = [];
  const keeper = new AuditSupervisor({
    ...{ state, ledger, key, days: 3_650, cutoffMs: () => null, onTrouble: (said) => t.fail(said) },
    onAlarm: (said, severity) => alarms.push(`${severity}: ${said}`),
  });
  state.db.exec('CREATE TRIGGER zz AFTER INSERT ON users BEGIN SELECT 1; END');
  keeper.start();
  keeper.stop();
  t.match(alarms, [/^critical: state\.db has the trigger "zz" on "users"/]);
  t.match(ledger.audit.since(0), [{ kind: 'audit.schema', severity: 'critical', text: /"zz" on "users"/ }]);
});

t.test('a trigger that keeps every row out still raises the alarm', async (t) => {
  const { state, ledger, key } = auditBench(t);
  const [alarms, troubles]: string[][] = [[], []];
  state.db.exec('CREATE TRIGGER zz BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END');
  const keeper = new AuditSupervisor({
    ...{ state, ledger, key, days: 3_650, cutoffMs: () => null },
    onTrouble: (said) => troubles?.push(said),
    onAlarm: (said) => alarms?.push(said),
  });
  keeper.start();
  keeper.stop();
  t.match(alarms, [/"zz" on "audit"/]);
  t.match(troubles, [/could not be added to the audit log/]);
});
