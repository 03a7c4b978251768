import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import type { Migration } from '../../src/store/migrate.ts';
import { stateMigrations } from '../../src/store/migrations/index.ts';
import { openState } from '../../src/store/state.ts';

const newest = stateMigrations.length;
const addsNotes: Migration = { version: newest + 1, sql: 'CREATE TABLE notes (text TEXT NOT NULL) STRICT' };

function copies(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => name.includes('.before-'));
}

t.test('the steps are numbered from 1 without a gap', async (t) => {
  t.same(
    stateMigrations.map(({ version }) => version),
    stateMigrations.map((_, index) => index + 1),
  );
});

t.test('an empty folder gets the newest schema and no copy', async (t) => {
  const dataDir = t.testdir();
  const state = openState(dataDir);
  t.equal(state.db.pragma('user_version', { simple: true }), newest);
  state.close();
  t.same(copies(dataDir), []);
});

t.test('an older database keeps its rows, and a whole copy of it is made first', async (t) => {
  const dataDir = t.testdir();
  const older = openState(dataDir);
  older.write('A note', () => older.db.prepare("INSERT INTO meta VALUES ('note', 'keep me')").run());
  older.close();

  const state = openState(dataDir, [...stateMigrations, addsNotes]);
  t.equal(state.db.pragma('user_version', { simple: true }), newest + 1);
  t.equal(state.db.prepare("SELECT value FROM meta WHERE key = 'note'").pluck().get(), 'keep me');
  state.db.exec("INSERT INTO notes VALUES ('new')");
  state.close();

  t.same(copies(dataDir), [`state.db.before-${newest + 1}`]);
  const copy = new Database(join(dataDir, `state.db.before-${newest + 1}`), { readonly: true });
  t.equal(copy.pragma('user_version', { simple: true }), newest);
  t.equal(copy.prepare("SELECT value FROM meta WHERE key = 'note'").pluck().get(), 'keep me');
  t.equal(copy.pragma('integrity_check', { simple: true }), 'ok');
  copy.close();
});

t.test('the last three copies are kept', async (t) => {
  const dataDir = t.testdir();
  const steps = [...stateMigrations];
  openState(dataDir, steps).close();
  for (let version = newest + 1; version <= newest + 11; version++) {
    steps.push({ version, sql: `CREATE TABLE more_${version} (text TEXT)` });
    openState(dataDir, steps).close();
  }
  const kept = [newest + 9, newest + 10, newest + 11].map((version) => `state.db.before-${version}`);
  t.same(copies(dataDir).sort(), kept.sort(), 'by number, not by text');
});

t.test('a step that fails, or leaves dangling rows, changes nothing and says so', async (t) => {
  const dataDir = t.testdir();
  openState(dataDir).close();
  const broken = { version: newest + 1, sql: 'CREATE TABLE half (text TEXT); CREATE TABLE half (text TEXT)' };
  t.throws(() => openState(dataDir, [...stateMigrations, broken]), {
    code: 'unavailable',
    message: /half already exists/,
  });
  const dangling = {
    version: newest + 1,
    sql: `CREATE TABLE child (workspace_id TEXT REFERENCES workspaces (id)); INSERT INTO child VALUES ('wsp_none')`,
  };
  t.throws(() => openState(dataDir, [...stateMigrations, dangling]), { code: 'internal' });
  const state = openState(dataDir);
  t.equal(state.db.pragma('user_version', { simple: true }), newest);
  t.equal(state.db.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('half', 'child')").pluck().get(), 0);
  state.close();
});

/** The schema and the tables of the copy made before `version`. */
function copyOf(dataDir: string, version: number): { version: unknown; steps: unknown } {
  const copy = new Database(join(dataDir, `state.db.before-${version}`), { readonly: true });
  const steps = copy.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'step_%' ORDER BY name").pluck().all();
  const found = { version: copy.pragma('user_version', { simple: true }), steps };
  copy.close();
  return found;
}

t.test('an upgrade that stopped half way keeps the copy of the schema from which it began', (t) => {
  const dataDir = t.testdir();
  openState(dataDir).close();
  const first = { version: newest + 1, sql: 'CREATE TABLE step_1 (text TEXT)' };
  const broken = { version: newest + 2, sql: 'CREATE TABLE step_2 (text TEXT); CREATE TABLE step_2 (text TEXT)' };
  const second = { version: newest + 2, sql: 'CREATE TABLE step_2 (text TEXT)' };
  t.throws(() => openState(dataDir, [...stateMigrations, first, broken]), { code: 'unavailable' });
  t.throws(() => openState(dataDir, [...stateMigrations, first, broken]), { code: 'unavailable' });
  t.same(copyOf(dataDir, newest + 2), { version: newest, steps: [] });
  openState(dataDir, [...stateMigrations, first, second]).close();
  t.same(copyOf(dataDir, newest + 2), { version: newest, steps: [] });
  t.same(copies(dataDir).toSorted(), [
    `state.db.before-${newest + 2}`,
    `state.db.before-${newest + 2}-from-${newest + 1}`,
  ]);
  t.end();
});

t.test('a copy that is damaged, or is as new as the database, is replaced', (t) => {
  const dataDir = t.testdir();
  openState(dataDir, [...stateMigrations, addsNotes]).close();
  const path = join(dataDir, `state.db.before-${newest + 2}`);
  const next = { version: newest + 2, sql: 'CREATE TABLE step_2 (text TEXT)' };
  writeFileSync(path, 'not a database');
  openState(dataDir, [...stateMigrations, addsNotes, next]).close();
  t.same(copyOf(dataDir, newest + 2), { version: newest + 1, steps: [] });
  copyFileSync(path, join(dataDir, 'state.db'));
  const again = new Database(join(dataDir, 'state.db'));
  again.exec('CREATE TABLE step_0 (text TEXT)');
  again.close();
  openState(dataDir, [...stateMigrations, addsNotes, next]).close();
  t.same(copyOf(dataDir, newest + 2), { version: newest + 1, steps: ['step_0'] });
  t.end();
});

t.test('a database of a newer version is refused with both numbers, and stays usable by that version', async (t) => {
  const dataDir = t.testdir();
  const newer = { version: newest + 1, sql: 'CREATE TABLE later (text TEXT)' };
  openState(dataDir, [...stateMigrations, newer]).close();
  t.throws(() => openState(dataDir), {
    code: 'unavailable',
    message: `The database ${dataDir}/state.db was written by a newer Dunlin (schema ${newer.version}; this one knows ${newest})`,
  });
  openState(dataDir, [...stateMigrations, newer]).close();
});
