import t from 'tap';
import { RowsAStep } from '../../src/core/tracks/rows_a_step.ts';
import type { Observation } from '../../src/model/observation.ts';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { type CoreOutput, ROW_WIDTH } from '../../src/model/track_row.ts';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

/** A look of a radar moves everything at once; what is told of that is spread over the steps that follow at once. */

const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, i) => from + i);

/** What is told in a step: numbers of tracks, and when what is told of them holds. */
function toldIn({ rows }: CoreOutput): { numbers: number[]; asOf: Set<number | undefined> } {
  const at = Array.from({ length: rows.length / ROW_WIDTH }, (_, i) => i * ROW_WIDTH);
  return {
    numbers: at.map((row) => rows[row + TRACK.number] ?? 0),
    asOf: new Set(at.map((row) => rows[row + TRACK.updatedMs])),
  };
}

/** The `i`-th of a field of aircraft, 100 m from each other. */
const spoken = (ms: number, i: number, more: Partial<Observation> = {}): Observation =>
  positionAt(ms, 100 * (i % 30), 100 * Math.floor(i / 30), { identities: [serial(`A${i}`)], ...more });

/** A field of aircraft that are known, and told of. */
function field(count: number): CoreWitness {
  const core = new CoreWitness({ maxTracks: count + 100 });
  for (const ms of [1_000, 2_000]) {
    core.step(ms, ...upTo(count).map((i) => spoken(ms, i)));
    for (let later = 1; core.core.isBehind; later++) core.step(ms + 5 * later);
  }
  return core;
}

t.test('few are told at once, of many so many that none waits for more than three further steps', async (t) => {
  for (const count of [1, 300, 301, 999, 5_000]) {
    const rows = new RowsAStep();
    let [due, steps] = [count, 0];
    for (; due > 0; steps++) {
      due -= Math.min(due, rows.of(due));
      rows.left(due);
    }
    t.ok(steps <= (count <= 300 ? 1 : 4), `${count} in ${steps} steps`);
    t.notOk(rows.someWait);
  }
});

t.test(
  'of many each is told once, as it is by then, and the core comes back at once for those that wait',
  async (t) => {
    const core = field(1_000);
    let output = core.step(3_000, ...upTo(1_000).map((i) => spoken(3_000, i)));
    const told: number[] = [];
    for (let nowMs = 3_000; ; ) {
      const { numbers, asOf } = toldIn(output);
      t.same([...asOf], [nowMs]);
      t.equal(numbers.length, 250);
      told.push(...numbers);
      if (!core.core.rowsWait) break;
      t.ok(output.dueMs <= nowMs + 5, 'soon');
      nowMs = output.dueMs;
      output = core.step(nowMs);
    }
    t.same(told, upTo(1_000));
  },
);

t.test('whoever is new or says something else of himself does not wait, and whoever ended is not told', async (t) => {
  const core = field(1_000);
  const speaks = (i: number): Observation =>
    spoken(3_000, i, i % 100 === 0 ? { identities: [serial(`A${i}`), mac(`MAC${i}`)] } : {});
  const first = toldIn(core.step(3_000, ...upTo(1_010).map(speaks)));
  t.same(
    first.numbers.filter((number) => number > 250),
    [...upTo(8, 3).map((i) => 100 * i), ...upTo(10, 1_001)],
    'those of whom there is news',
  );
  t.equal(first.numbers.length, 253, 'a quarter of them');
  t.ok(core.core.drop(777));
  const told = new Set(first.numbers);
  for (let nowMs = 3_005; core.core.rowsWait; nowMs += 5)
    for (const number of toldIn(core.step(nowMs)).numbers) told.add(number);
  t.same(
    [...told].sort((a, b) => a - b),
    upTo(1_010).filter((number) => number !== 777),
  );
});

t.test('what was passed over goes before what moved since', async (t) => {
  const core = field(1_000);
  const told = toldIn(core.step(3_000, ...upTo(1_000).map((i) => spoken(3_000, i)))).numbers;
  for (let nowMs = 3_100; told.length < 1_000; nowMs += 100)
    told.push(...toldIn(core.step(nowMs, ...upTo(250).map((i) => spoken(nowMs, i)))).numbers);
  t.same(told, upTo(1_000));
  t.ok(core.core.rowsWait, 'those that moved since come after them');
});

t.test('however much there is to say of others, nobody waits for ever', async (t) => {
  const core = field(1_000);
  core.step(3_000, ...upTo(1_000).map((i) => spoken(3_000, i)));
  const told = new Set<number>();
  // All but the last say another address in each step.
  for (let step = 1; step <= 9; step++) {
    const ms = 3_000 + 20 * step;
    const news = upTo(999).map((i) => spoken(ms, i, { identities: [serial(`A${i}`), mac(`MAC${i}-${step}`)] }));
    for (const number of toldIn(core.step(ms, ...news)).numbers) told.add(number);
  }
  t.ok(told.has(1_000));
});
