import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import type { ClockTrust } from '../../src/model/clock_trust.ts';
import { AuditSupervisor } from '../../src/store/audit_supervisor.ts';
import { RetentionClock } from '../../src/store/retention_clock.ts';
import { auditBench } from '../support/daemon/audit.ts';

const dayMs = 86_400_000;

/** A box whose clocks a test moves; `begin` is a start of the daemon. */
function box(t: Parameters<typeof auditBench>[0], trust: ClockTrust = 'rtc') {
  const bench = auditBench(t);
  let monoMs = 0;
  const now = {
    ...bench,
    trust,
    begin: () =>
      new RetentionClock({ ...bench, wallMs: () => bench.clock.ms, monoMs: () => monoMs, trust: () => now.trust }),
    /** Time passes, for both clocks alike. */
    pass(ms: number): void {
      bench.clock.ms += ms;
      monoMs += ms;
    },
    step(ms: number): void {
      bench.clock.ms += ms;
    },
    kinds: (): unknown[] =>
      bench.state.db.prepare("SELECT kind FROM audit WHERE kind LIKE 'retention.%'").pluck().all(),
  };
  return now;
}

t.test('a clock that nothing keeps right prunes after a week of running, counted over restarts', async (t) => {
  const of = box(t);
  let clock = of.begin();
  for (let day = 0; day < 6; day++) {
    t.match(clock.status(), {
      prunes: false,
      trust: 'rtc',
      reason: /until an owner confirms the clock or it has run for/,
    });
    t.equal(clock.cutoffMs(30), null);
    of.pass(dayMs);
    clock.stop();
    of.step(3_600_000);
    clock = of.begin();
  }
  t.equal(clock.status().prunes, false);
  of.pass(dayMs + 1_000);
  t.equal(clock.status().prunes, true);
  t.equal(clock.cutoffMs(30), of.clock.ms - 30 * dayMs);
  t.same(of.kinds(), ['retention.clock_agreed']);
});

t.test('a disk that refuses the confirmation after a week fails no tick, and takes it later', async (t) => {
  const of = box(t);
  const clock = of.begin();
  of.pass(7 * dayMs + 1_000);
  of.state.db.pragma('query_only = 1');
  clock.tick();
  of.state.db.pragma('query_only = 0');
  t.same(of.kinds(), []);
  clock.tick();
  t.same(of.kinds(), ['retention.clock_agreed']);
});

t.test('an owner confirms it at once, and not one that was never set', async (t) => {
  const of = box(t, 'none');
  const clock = of.begin();
  t.throws(() => clock.confirm(systemActor), { code: 'conflict', message: /was never set/ });
  of.trust = 'rtc';
  clock.confirm(systemActor);
  t.match(clock.status(), { prunes: true, reason: null });
  clock.stop();
  t.equal(of.begin().status().prunes, true, 'and it holds after a restart');
  of.trust = 'none';
  t.equal(clock.status().prunes, false, 'until it is not set any more');
});

for (const trust of ['rtc', 'ntp', 'gps'] as const) {
  for (const days of [45, 3_700, -2]) {
    t.test(`a step of ${days} days while it runs, by a clock of trust ${trust}`, async (t) => {
      const of = box(t, trust);
      const clock = of.begin();
      clock.confirm(systemActor);
      of.pass(10 * dayMs);
      of.step(days * dayMs);
      t.equal(clock.cutoffMs(30), null, 'nothing is pruned in the very moment of the step');
      t.match(clock.status(), { prunes: false, reason: new RegExp(`was changed by [+-]${Math.abs(days)}\\.0 days`) });
      of.pass(6 * dayMs);
      t.equal(clock.cutoffMs(30), null);
      of.pass(dayMs + 1);
      t.not(clock.cutoffMs(30), null, 'a week later the clock is believed');
    });

    t.test(`a start ${days} days off, by a clock of trust ${trust}`, async (t) => {
      const of = box(t, trust);
      const before = of.begin();
      before.confirm(systemActor);
      before.stop();
      of.step(days * dayMs);
      const clock = of.begin();
      t.match(clock.status(), { prunes: false, reason: /it moved by .* between the last run and this one/ });
      clock.confirm(systemActor);
      t.not(clock.cutoffMs(30), null);
    });
  }
}

t.test('several small steps add up', async (t) => {
  const of = box(t, 'ntp');
  const clock = of.begin();
  t.not(clock.cutoffMs(30), null);
  for (let i = 0; i < 3; i++) {
    of.step(dayMs / 2.5);
    of.pass(60_000);
    clock.tick();
  }
  t.equal(clock.cutoffMs(30), null);
});

t.test('the first start of this version is judged by the newest audit row', async (t) => {
  const of = box(t, 'ntp');
  of.note();
  of.step(3_700 * dayMs);
  t.equal(of.begin().cutoffMs(3_650), null);
});

t.test('a start 3 700 days ahead prunes no audit row, until an owner confirms the clock', async (t) => {
  const of = box(t);
  of.begin().stop();
  for (let i = 0; i < 50; i++) of.note();
  of.step(3_700 * dayMs);
  const clock = of.begin();
  const cutoffMs = (days: number): number | null => clock.cutoffMs(days);
  const keeper = new AuditSupervisor({
    ...of,
    days: 3_650,
    cutoffMs,
    onTrouble: t.fail,
    onAlarm: (text) => t.fail(text),
  });
  keeper.prune();
  const rows = (): unknown => of.state.db.prepare('SELECT count(*) FROM audit').pluck().get();
  t.equal(rows(), 50);
  clock.confirm(systemActor);
  keeper.prune();
  t.equal(rows(), 2, 'then what is old goes: the confirmation and the row of the pruning are left');
});
