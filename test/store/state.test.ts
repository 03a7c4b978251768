import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { Fault } from '../../src/model/fault.ts';
import { openState } from '../../src/store/state.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';
import { bindReadOnly, mountTmpfs, noMount, remount } from '../support/store/tmpfs.ts';

const skip = noMount();

/** The Fault that opening a folder throws; fails the test where it opens. */
function refusal(dataDir: string): Fault {
  try {
    openState(dataDir).close();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error(`${dataDir} opened`);
}

t.test('the first start makes a private folder with the workspace default, which later starts keep', async (t) => {
  const dataDir = join(t.testdir(), 'var', 'data');
  const state = openState(dataDir);
  const [made, ...others] = workspaceRows(state).list();
  t.equal(others.length, 0);
  t.match(made, { id: /^wsp_[0-9a-f]{24}$/, name: 'default' });
  t.equal(statSync(dataDir).mode & 0o777, 0o750);
  t.equal(statSync(state.path).mode & 0o007, 0, 'others cannot read it');
  t.equal(state.db.pragma('journal_mode', { simple: true }), 'wal');
  t.equal(state.db.pragma('synchronous', { simple: true }), 2, 'a commit waits for the disk');
  t.equal(state.db.pragma('foreign_keys', { simple: true }), 1);
  state.close();

  const again = openState(dataDir);
  t.same(workspaceRows(again).list(), [made]);
  t.equal(again.recovered, false);
  again.close();
});

t.test('closing leaves one file and a second close does nothing', async (t) => {
  const dataDir = t.testdir();
  const state = openState(dataDir);
  state.close();
  state.close();
  t.equal(statSync(`${state.path}-wal`, { throwIfNoEntry: false }), undefined);
});

t.test('a folder in use is a conflict that names it, and is free again after close', async (t) => {
  const dataDir = t.testdir();
  const state = openState(dataDir);
  const fault = refusal(dataDir);
  t.equal(fault.code, 'conflict');
  t.match(fault.message, `The data folder ${dataDir} is in use by another Dunlin`);
  t.equal(refusal(dataDir).code, 'conflict', 'a refused start does not free the lock of the first');
  state.close();
  openState(dataDir).close();
  t.pass('opened');
});

t.test('a data folder where no folder can be is refused and not tried for ever', async (t) => {
  t.throws(() => openState('/proc/dunlin/data'), {
    code: 'unavailable',
    message: /\/proc\/dunlin\/data cannot be created/,
  });
});

t.test('a data folder that cannot be created is refused by name', async (t) => {
  const dir = t.testdir({ taken: 'a file' });
  t.match(
    refusal(join(dir, 'taken')).message,
    `The data folder ${dir}/taken cannot be created: a file with this path exists already`,
  );
  // Node.js 22 reports the file itself, Node.js 20 the path through it.
  t.match(
    refusal(join(dir, 'taken', 'data')).message,
    /is not a folder \(ENOTDIR\)|a file with this path exists already/,
  );
});

t.test('a read-only folder is refused by name', { skip }, async (t) => {
  const folder = mountTmpfs(t, 'size=2m');
  openState(folder).close();
  remount(folder, 'ro');
  const fault = refusal(folder);
  t.equal(fault.code, 'unavailable');
  t.equal(fault.message, `The data folder ${folder} cannot be written: the file system is read-only (EROFS).`);
});

t.test('a state file or lock that cannot be written is refused by name', { skip }, async (t) => {
  for (const name of ['state.db', 'lock']) {
    const folder = mountTmpfs(t, 'size=2m');
    openState(folder).close();
    bindReadOnly(t, join(folder, name));
    const fault = refusal(folder);
    t.equal(fault.code, 'unavailable');
    t.equal(fault.message, `The file ${folder}/${name} cannot be written: the file system is read-only (EROFS).`);
  }
});

t.test('a folder in place of the state file is refused by name', async (t) => {
  const dataDir = t.testdir({ 'state.db': {} });
  t.match(refusal(dataDir).message, `The database ${dataDir}/state.db cannot be used`);
});

t.test('a file that is no database, or of another program, is refused and left as it is', async (t) => {
  const dataDir = t.testdir({ 'state.db': 'These are my notes about drones, and not a database at all.\n'.repeat(20) });
  const before = readFileSync(join(dataDir, 'state.db'));
  t.match(refusal(dataDir).message, `The database ${dataDir}/state.db is damaged: it is not a SQLite database`);
  t.same(readFileSync(join(dataDir, 'state.db')), before);

  const other = t.testdir();
  const db = new Database(join(other, 'state.db'));
  db.exec('CREATE TABLE recipes (name TEXT)');
  db.close();
  const bytes = readFileSync(join(other, 'state.db'));
  t.match(refusal(other).message, 'is a database of another program');
  t.same(readFileSync(join(other, 'state.db')), bytes);
});

t.test('after a stop, in order or not, the database is checked, and damage is refused with a sentence', async (t) => {
  const dataDir = t.testdir();
  const state = openState(dataDir);
  state.db.exec('CREATE TABLE filler (text TEXT); CREATE INDEX filler_text ON filler (text)');
  const insert = state.db.prepare('INSERT INTO filler VALUES (?)');
  for (let i = 0; i < 2_000; i++) insert.run(`row ${i} ${'x'.repeat(100)}`);
  state.close();

  const crashed = new Database(state.path);
  crashed.exec("UPDATE meta SET value = '0' WHERE key = 'clean_stop'");
  crashed.close();
  const whole = openState(dataDir);
  t.equal(whole.recovered, true);
  whole.close();

  const sound = readFileSync(state.path);
  for (const cleanStop of ['0', '1']) {
    writeFileSync(state.path, sound);
    const again = new Database(state.path);
    again.prepare("UPDATE meta SET value = ? WHERE key = 'clean_stop'").run(cleanStop);
    again.close();
    const bytes = readFileSync(state.path);
    bytes.fill(0x5a, bytes.length - 8 * 4096, bytes.length - 4 * 4096);
    writeFileSync(state.path, bytes);
    const fault = refusal(dataDir);
    t.equal(fault.code, 'unavailable');
    t.match(fault.message, `The database ${state.path} is damaged`);
    t.match(fault.message, `restore a backup from elsewhere with 'dunlin restore', or move the folder ${dataDir} away`);
  }
});

t.test('what is written unsynced is there for others; the next change waits for the disk again', async (t) => {
  const state = openState(t.testdir());
  state.sync();
  const synchronous = (): unknown => state.db.pragma('synchronous', { simple: true });
  const note = (key: string) => () => void state.db.prepare("INSERT INTO meta VALUES (?, 'x')").run(key);
  state.writeUnsynced('The note', note('one'));
  const beside = new Database(state.path, { readonly: true });
  t.ok(beside.prepare("SELECT 1 FROM meta WHERE key = 'one'").get());
  beside.close();
  t.equal(synchronous(), 2);
  t.throws(() => state.writeUnsynced('The note', note('one')), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  t.equal(synchronous(), 2, 'after one that failed too');
  state.sync();
  state.sync();
  state.close();
});

t.test('a change that fails leaves nothing behind; a full disk is said in a sentence', { skip }, async (t) => {
  const folder = mountTmpfs(t, 'size=1m');
  const state = openState(folder);
  t.throws(
    () =>
      state.write('The note', () => {
        state.db.prepare("INSERT INTO meta VALUES ('note', 'kept?')").run();
        throw new Fault('conflict', 'No.');
      }),
    { message: 'No.' },
  );
  t.equal(state.db.prepare("SELECT value FROM meta WHERE key = 'note'").get(), undefined);
  const fill = (): void =>
    state.write('The note', () => {
      state.db.prepare("INSERT INTO meta VALUES ('note', ?)").run('x'.repeat(2_000_000));
    });
  t.throws(fill, { code: 'unavailable', message: `The note was not saved: the disk of ${state.path} is full.` });
  state.write('A small note', () => state.db.prepare("INSERT INTO meta VALUES ('small', 'fits')").run());
  state.close();
});
