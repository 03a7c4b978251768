import Database from 'better-sqlite3';
import t from 'tap';
import { z } from 'zod';
import { checked, flag, json, number, orNull, Statements, table, text } from '../../src/store/table.ts';

const notes = table('notes', 'note', {
  number,
  id: text,
  workspaceId: text,
  name: text,
  isDone: flag,
  place: orNull(checked(z.strictObject({ lat: z.number() }))),
  document: json<{ words: string[] }>(),
});
const made = { id: 'a', workspaceId: 'w', name: 'One', isDone: true, place: null, document: { words: ['x'] } };

function statements() {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE notes (number INTEGER PRIMARY KEY, id TEXT UNIQUE, workspace_id TEXT, name TEXT UNIQUE,
    is_done INTEGER CHECK (is_done IN (0, 1)), place TEXT, document TEXT) STRICT`);
  return { db, rows: new Statements(db, notes) };
}

t.test('a row is read as it was inserted, with the number that SQLite gave it', async (t) => {
  const { rows } = statements();
  t.equal(rows.insert()(made), 1);
  t.same(rows.one<[string]>('id = ?')('a'), { number: 1, ...made });
  t.same(rows.documents<[]>('TRUE')(), [{ words: ['x'] }]);
  t.equal(rows.document<[string]>('id = ?')('b'), null);
});

t.test('put writes only the named columns over a row of the same key', async (t) => {
  const { rows } = statements();
  const put = rows.put(['id'], ['isDone', 'place']);
  put(made);
  put({ ...made, name: 'Two', isDone: false, place: { lat: 1 } });
  t.same(rows.all<[]>('TRUE')(), [{ number: 1, ...made, isDone: false, place: { lat: 1 } }]);
});

t.test('update leaves the fixed columns and counts its rows', async (t) => {
  const { rows } = statements();
  rows.insert()(made);
  const update = rows.update(['id', 'workspaceId'], 'id = @id');
  t.equal(update({ ...made, workspaceId: 'v', name: 'Two' }), 1);
  t.equal(update({ ...made, id: 'b' }), 0);
  t.match(rows.one<[string]>('id = ?')('a'), { workspaceId: 'w', name: 'Two' });
  t.equal(rows.delete<[string]>('id = ?')('a'), 1);
});

t.test('a taken name is a conflict, and a value that does not fit its schema a fault that names the row', async (t) => {
  const { db, rows } = statements();
  const insert = rows.insert();
  insert(made);
  t.throws(() => rows.refusingTaken('One', () => insert({ ...made, id: 'b' })), {
    code: 'conflict',
    message: 'there is already a note called One',
  });
  db.exec(`UPDATE notes SET place = '{"lat":"x"}'`);
  t.throws(() => rows.all<[]>('TRUE')(), {
    code: 'internal',
    message: /^The stored place of note One is invalid: lat:/,
  });
});
