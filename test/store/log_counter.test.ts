import fc from 'fast-check';
import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import { auditColumns, CHAIN_BEGIN, hashOf, type StoredAudit } from '../../src/store/audit.ts';
import { Ledger } from '../../src/store/ledger.ts';
import { BLOCK, LogCounter, reserveIn } from '../../src/store/log_counter.ts';
import { openState, openStateBeside, type State } from '../../src/store/state.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

const deed = { kind: 'box.restored', text: 'something was done', by: systemActor, workspaceId: null } as const;

function writer(state: State, size: number) {
  const counter = new LogCounter(0, reserveIn(state, size));
  return { state, counter, ledger: new Ledger(state, counter, Date.now) };
}

function beside(dataDir: string): State {
  const state = openStateBeside(dataDir);
  if (!state) throw new Error('there is a database');
  return state;
}

function isWhole({ state }: { state: State }): boolean {
  let prev = CHAIN_BEGIN;
  for (const row of state.db.prepare<[], StoredAudit>(`SELECT ${auditColumns} FROM audit ORDER BY seq`).all()) {
    if (row.prev_hash !== prev || row.hash !== hashOf(row, prev)) return false;
    prev = String(row.hash);
  }
  return true;
}

t.test('whoever writes next, the chain is whole and no number is given twice', async (t) => {
  const seed = seedOf(t);
  let run = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('row', 'event', 'notice', 'outside', 'failed', 'outside failed'), { maxLength: 80 }),
      (steps) => {
        const dataDir = t.testdir({ [`run${run++}`]: {} });
        const daemon = writer(openState(dataDir), 5);
        const outside = beside(dataDir);
        const events: number[] = [];
        let commands = 0;
        for (const step of steps) {
          if (step === 'row') daemon.ledger.note(deed);
          else if (step === 'event') events.push(daemon.counter.next());
          else if (step === 'notice') {
            if (daemon.state.changedOutside()) daemon.counter.forget();
          } else if (step === 'outside') {
            // Each command is a process of its own.
            writer(outside, 1).ledger.note(deed);
            commands++;
          } else {
            const { ledger } = step === 'failed' ? daemon : writer(outside, 1);
            t.throws(() =>
              ledger.change('x', () => {
                ledger.note(deed);
                throw new Error('given up');
              }),
            );
          }
        }
        const rows = [...daemon.ledger.audit.since(0)].map(({ seq }) => Number(seq));
        const all = [...rows, ...events];
        const whole = isWhole(daemon) && new Set(all).size === all.length;
        const sorted = events.every((seq, i) => i === 0 || seq > (events[i - 1] ?? 0));
        outside.close();
        daemon.state.close();
        return whole && sorted && rows.length === steps.filter((step) => step === 'row').length + commands;
      },
    ),
    { seed, numRuns: sized(60) },
  );
});

t.test('events are numbered without a write for each', async (t) => {
  const { state, counter } = writer(openState(t.testdir()), BLOCK);
  t.teardown(() => state.close());
  const before = state.db.prepare('SELECT total_changes() AS n').get() as { n: number };
  for (let i = 0; i < 5 * BLOCK; i++) counter.next();
  const after = state.db.prepare('SELECT total_changes() AS n').get() as { n: number };
  t.equal(after.n - before.n, 5);
});

t.test('a disk that takes nothing does not stop the numbering', async (t) => {
  const counter = new LogCounter(7, () => {
    throw new Error('disk full');
  });
  t.same([counter.next(), counter.next(), counter.next()], [8, 9, 10]);
});

t.test('who listens is told of rows that another process wrote, in the order of the chain', async (t) => {
  const dataDir = t.testdir();
  const daemon = writer(openState(dataDir), BLOCK);
  const outside = beside(dataDir);
  t.teardown(() => {
    outside.close();
    daemon.state.close();
  });
  const told: string[] = [];
  daemon.ledger.onRow(({ text }) => told.push(text));
  const other = writer(outside, 1).ledger;
  other.note({ ...deed, text: 'one' });
  daemon.ledger.note({ ...deed, text: 'two' });
  other.note({ ...deed, text: 'three' });
  t.ok(daemon.state.changedOutside());
  t.notOk(daemon.state.changedOutside());
  daemon.ledger.publishNew();
  daemon.ledger.publishNew();
  t.same(told, ['one', 'two', 'three']);
});

t.test('beside a daemon the database is opened, not made, locked or migrated', async (t) => {
  const empty = t.testdir();
  t.equal(openStateBeside(empty), null);
  const state = openState(empty);
  t.teardown(() => state.close());
  const other = beside(empty);
  other.close();
  state.db.pragma('user_version = 1');
  t.equal(openStateBeside(empty), null, 'of another schema');
  state.db.pragma('user_version = 2');
});
