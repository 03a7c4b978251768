import fc from 'fast-check';
import t from 'tap';
import { type EventQuery, EventService } from '../../src/app/event_service.ts';
import { type LogEvent, severities, severitiesFrom } from '../../src/model/event.ts';
import { createReader } from '../../src/store/log/reader.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { type AuditBench, anna, auditBench } from '../support/daemon/audit.ts';
import { EngineBench, noonMs, packed } from '../support/store/history_engine.ts';
import { eventAt } from '../support/store/history_rows.ts';

const all: EventQuery = {
  limit: 1_000,
  cursor: null,
  sinceMs: null,
  untilMs: null,
  sinceSeq: null,
  kind: null,
  subject: null,
  severity: null,
  ofBox: true,
};

type Sources = ConstructorParameters<typeof EventService>[0];

function sourcesOf(bench: AuditBench, engine: EngineBench, more: Partial<Sources> = {}): Sources {
  const reader = createReader(
    async (question) => engine.engine.ask(question),
    () => {},
  );
  const history = reader as Sources['history'];
  return { state: bench.state, history, workspaceId: bench.workspaceId, isFirst: true, ...more };
}

async function walk(sources: Sources, query: EventQuery): Promise<LogEvent[]> {
  const rows: LogEvent[] = [];
  for (let { cursor } = query; ; ) {
    const page = await new EventService(sources).list({ ...query, cursor });
    t.ok(page.rows.length <= query.limit);
    rows.push(...page.rows);
    cursor = page.nextCursor;
    if (cursor === null) return rows;
  }
}

/** Rows of both kinds in any order, as one counter numbers them; the clock may stand still or go back. */
const made = fc.array(
  fc.record({
    audit: fc.boolean(),
    stepMs: fc.constantFrom(0, 0, 1, 1_000, -500, 40_000_000),
    severity: fc.constantFrom(...severities),
    kind: fc.constantFrom('sensor.changed', 'link.down'),
    ofBox: fc.boolean(),
    subject: fc.constantFrom('s1', 's2'),
  }),
  { maxLength: 40 },
);
const filters = fc.record({
  limit: fc.integer({ min: 1, max: 9 }),
  sinceSeq: fc.option(fc.nat(40)),
  kind: fc.option(fc.constantFrom('sensor.changed', 'link.down', 'none')),
  subject: fc.option(fc.constantFrom('s1', 's2')),
  severity: fc.option(fc.constantFrom(...severities)),
  sinceMs: fc.option(fc.integer({ min: noonMs - 1_000, max: noonMs + 80_000_000 })),
  untilMs: fc.option(fc.integer({ min: noonMs - 1_000, max: noonMs + 80_000_000 })),
  ofBox: fc.boolean(),
});

t.test('what concerns every workspace is listed in each, once', async (t) => {
  const bench = auditBench(t);
  const engine = new EngineBench(t.testdir());
  bench.ledger.note({ kind: 'discovery.changed', text: 'on', by: anna, workspaceId: null });
  bench.ledger.note({ kind: 'auth.denied', text: 'no', by: anna, workspaceId: null });
  const kinds = async (more: Partial<Sources>, query: Partial<EventQuery>) =>
    (await walk(sourcesOf(bench, engine, more), { ...all, ...query })).map(({ kind }) => kind);
  const other = { workspaceId: 'wsp_other', isFirst: false };
  t.same(await kinds({}, {}), ['auth.denied', 'discovery.changed']);
  t.same(await kinds({}, { ofBox: false }), ['discovery.changed']);
  for (const ofBox of [true, false]) {
    t.same(await kinds(other, { ofBox }), ['discovery.changed']);
    t.same(await kinds(other, { ofBox, kind: 'discovery.changed', severity: 'info' }), ['discovery.changed']);
    t.same(await kinds(other, { ofBox, kind: 'auth.denied' }), []);
    t.same(await kinds(other, { ofBox, severity: 'warning' }), []);
  }
});

t.test('pages of what people did and of what happened are one list, each row once and in order', async (t) => {
  const root = t.testdir();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(made, filters, async (rows, asked) => {
      const bench = auditBench(t);
      const engine = new EngineBench(`${root}/${round++}`);
      engine.wallMs = noonMs + 10 * 86_400_000;
      bench.clock.ms = noonMs;
      const wanted: { seq: number; ms: number }[] = [];
      rows.forEach(({ audit, stepMs, severity, kind, ofBox, subject }, i) => {
        bench.clock.ms = Math.max(noonMs, bench.clock.ms + stepMs);
        const about = { type: 'sensor', id: subject, label: subject };
        const workspaceId = audit && ofBox ? null : bench.workspaceId;
        if (audit) bench.ledger.note({ kind, severity, text: 'x', by: anna, workspaceId, subject: about });
        else {
          bench.skipSeq();
          engine.put(packed('event', eventAt(bench.clock.ms, i + 1, { kind, severity, subject: about })));
        }
        const fits =
          (workspaceId !== null || asked.ofBox) &&
          i + 1 > (asked.sinceSeq ?? 0) &&
          (asked.kind ?? kind) === kind &&
          (asked.subject ?? subject) === subject &&
          (asked.severity === null || severitiesFrom(asked.severity).includes(severity)) &&
          bench.clock.ms >= (asked.sinceMs ?? 0) &&
          bench.clock.ms < (asked.untilMs ?? Number.POSITIVE_INFINITY);
        if (fits) wanted.push({ seq: i + 1, ms: bench.clock.ms });
      });
      wanted.sort((a, b) => b.ms - a.ms || b.seq - a.seq);
      const found = await walk(sourcesOf(bench, engine), { ...all, ...asked });
      engine.engine.close();
      t.same(
        found.map(({ seq }) => seq),
        wanted.map(({ seq }) => seq),
      );
    }),
    { seed: seedOf(t), numRuns: sized(60) },
  );
});

t.test('a workspace sees its own rows; those of the box are seen by owners of the first one', async (t) => {
  const bench = auditBench(t);
  const engine = new EngineBench(t.testdir());
  bench.note({ kind: 'key.revoked' });
  bench.note({ kind: 'box.restored', workspaceId: null });
  bench.note({ kind: 'key.created', workspaceId: 'wsp_other' });
  const kinds = async (more: Partial<Sources>, ofBox: boolean): Promise<string[]> =>
    (await walk(sourcesOf(bench, engine, more), { ...all, ofBox })).map(({ kind }) => kind);
  t.same(await kinds({}, true), ['box.restored', 'key.revoked']);
  t.same(await kinds({}, false), ['key.revoked']);
  t.same(await kinds({ workspaceId: 'wsp_other', isFirst: false }, true), ['key.created']);
  engine.engine.close();
});

t.test(
  'pages of long rows are shorter, so that none is much over a megabyte, and every row is told once',
  async (t) => {
    const bench = auditBench(t);
    const engine = new EngineBench(t.testdir());
    const long = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`field ${n}`, 'x'.repeat(1_000)]));
    for (let n = 0; n < 300; n++) {
      bench.note({
        before: long,
        after: long,
        severity: n % 2 ? 'info' : 'notice',
        ...(n % 3 ? {} : { workspaceId: null }),
      });
    }
    const sources = sourcesOf(bench, engine);
    for (const query of [all, { ...all, severity: 'info' as const }, { ...all, kind: 'sensor.changed' }]) {
      const first = await new EventService(sources).list(query);
      t.ok(first.nextCursor !== null && first.rows.length > 20 && first.rows.length < 60);
      t.ok(JSON.stringify(first.rows).length < 1_200_000);
      const seqs = (await walk(sources, query)).map(({ seq }) => seq);
      t.same(
        seqs,
        Array.from({ length: 300 }, (_, n) => 300 - n),
      );
    }
    engine.engine.close();
  },
);

t.test('no question about audit rows sorts them or looks at all of them', async (t) => {
  const bench = auditBench(t);
  const engine = new EngineBench(t.testdir());
  const prepared: string[] = [];
  const { db } = bench.state;
  const prepare = db.prepare.bind(db);
  const noting = (sql: string): unknown => {
    prepared.push(sql);
    return prepare(sql);
  };
  t.intercept(db, 'prepare', { value: noting });
  const questions: Partial<EventQuery>[] = [
    {},
    { kind: 'x' },
    { subject: 's1' },
    { severity: 'warning' },
    { sinceSeq: -20_000 },
  ];
  for (const question of questions) await new EventService(sourcesOf(bench, engine)).list({ ...all, ...question });
  const plans = new Set(prepared.filter((sql) => sql.includes('workspace_id IS')));
  t.ok(plans.size >= questions.length);
  for (const sql of plans) {
    const plan = JSON.stringify(prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll(/@\w+/g, '1')}`).all());
    // Every column but the last two is one that is asked for: what is found stands in order.
    t.match(plan, /SEARCH audit USING INDEX audit_\w+ \([^)]*at>\? AND at<\?\)/, sql);
    t.notMatch(plan, /TEMP B-TREE/);
  }
  engine.engine.close();
});
