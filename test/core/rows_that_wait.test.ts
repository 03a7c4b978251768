import t from 'tap';
import { type Haste, WaitingRows } from '../../src/core/waiting_rows.ts';
import { COLUMN, ROW_WIDTH } from '../../src/model/track_row.ts';
import { CoreWitness } from '../support/core.ts';
import { positionAt, serial } from '../support/observation.ts';

/** A look of a radar moves everything at once; what is told of that is spread over the steps that follow at once. */

const anyone = (): Haste => 'waits';

function rowsOf(numbers: readonly number[]): Float64Array {
  const rows = new Float64Array(numbers.length * ROW_WIDTH);
  for (const [i, number] of numbers.entries()) rows.fill(number, i * ROW_WIDTH, (i + 1) * ROW_WIDTH);
  return rows;
}

function numbersOf(rows: Float64Array): number[] {
  return Array.from({ length: rows.length / ROW_WIDTH }, (_, i) => rows[i * ROW_WIDTH + COLUMN.number] ?? 0);
}

const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, i) => from + i);

t.test('few are told at once, of many each once and in order, within four steps', async (t) => {
  for (const count of [1, 300, 301, 999, 5_000]) {
    const waiting = new WaitingRows();
    const told = numbersOf(waiting.take(rowsOf(upTo(count)), anyone));
    let steps = 1;
    for (; !waiting.isEmpty; steps++) told.push(...numbersOf(waiting.take(rowsOf([]), anyone)));
    t.same(told, upTo(count), `${count} in order`);
    t.ok(steps <= (count <= 300 ? 1 : 4), `${count} in ${steps} steps`);
  }
});

t.test('whoever is new does not wait, and whoever ended meanwhile is not told', async (t) => {
  const waiting = new WaitingRows();
  const first = waiting.take(rowsOf(upTo(1_000)), (number) => (number % 100 === 0 ? 'urgent' : 'waits'));
  t.same(numbersOf(first).slice(-7), [400, 500, 600, 700, 800, 900, 1_000], 'those of whom there is news');
  const told = new Set(numbersOf(first));
  while (!waiting.isEmpty) {
    const more = waiting.take(rowsOf([]), (number) => (number === 777 ? 'gone' : 'waits'));
    for (const number of numbersOf(more)) told.add(number);
  }
  t.same(
    [...told].sort((a, b) => a - b),
    upTo(1_000).filter((number) => number !== 777),
  );
});

t.test('what moves again while it waits is told as it was and as it is', async (t) => {
  const waiting = new WaitingRows();
  const told = numbersOf(waiting.take(rowsOf(upTo(1_000)), anyone));
  told.push(...numbersOf(waiting.take(rowsOf([1_000]), anyone)));
  while (!waiting.isEmpty) told.push(...numbersOf(waiting.take(rowsOf([]), anyone)));
  t.same(told, [...upTo(1_000), 1_000]);
});

t.test('the core comes back at once for what waits, and then tells of all', async (t) => {
  const core = new CoreWitness({ maxTracks: 800 });
  const speak = (ms: number) =>
    upTo(600).map((i) => positionAt(ms, 100 * (i % 30), 100 * Math.floor(i / 30), { identities: [serial(`A${i}`)] }));
  core.step(1_000, ...speak(1_000));
  const first = core.core.step({ rows: new Float64Array(0), dossiers: [] }, 1_001);
  t.equal(first.rows.length, 0, 'those that are new were told at once');
  const moved = core.step(2_000, ...speak(2_000));
  const counts = [moved.rows.length / ROW_WIDTH];
  for (let nowMs = moved.dueMs; core.core.isBehind && counts.length < 40; nowMs += 5) {
    t.ok(nowMs <= 2_005 + 5 * counts.length, 'soon');
    counts.push(core.core.step({ rows: new Float64Array(0), dossiers: [] }, nowMs).rows.length / ROW_WIDTH);
  }
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    600,
  );
  t.ok((counts[0] ?? 0) < 600, 'not all in one step');
});
