import t from 'tap';
import { alertSchema, presentAlert } from '../../src/model/alert.ts';
import { alertStore } from '../../src/store/alerts.ts';
import { stateMigrations } from '../../src/store/migrations/index.ts';
import { openState } from '../../src/store/state.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';

const at = '2025-06-01T12:00:00.000Z';
const id = (n: number): string => `5e0f6a52-0d3c-8a11-9c55-00000000000${n}`;

/** An alert as versions with one alert for each event wrote it. */
const old = (n: number, more: object = {}) => ({
  ...{ id: id(n), rule_id: 'zone_entry', rule_version: 1, severity: 'warning', state: 'active' },
  ...{ subject: { type: 'track', id: id(9), label: 'T-0009' }, text: 'T-0009 is in', track_ids: [id(9)] },
  ...{ zone_id: id(8), count: 1, raised_at: at, updated_at: at, escalated_at: null, acknowledged: null },
  ...{ cleared_at: null, cleared_reason: null, settled_at: null, ...more },
});
const cleared = { state: 'cleared', cleared_at: at, settled_at: at };

t.test('alerts of earlier versions are read, with their event as the only step', async (t) => {
  const dataDir = t.testdir();
  const before = openState(dataDir, stateMigrations.slice(0, 14));
  const workspaceId = workspaceRows(before).list()[0]?.id ?? '';
  const put = before.db.prepare(
    `INSERT INTO alerts (id, workspace_id, event_key, notify, state, severity, settled, raised_ms, document)
       VALUES (?, ?, ?, 1, ?, 2, ?, ?, ?)`,
  );
  const rows = [
    old(1),
    old(2, { subject: { type: 'zone', id: id(8), label: '2 aircraft in apron' }, track_ids: [id(9), id(7)], count: 2 }),
    old(3, { ...cleared, cleared_reason: 'recovered' }),
    old(4, {
      ...cleared,
      cleared_reason: 'the service was started again, and what this is about is not there any more',
    }),
    old(5, { ...cleared, cleared_reason: 'it made room for alerts that matter more' }),
  ];
  for (const row of rows)
    put.run(
      row.id,
      workspaceId,
      `zone_entry:${id(8)}:${row.id}`,
      row.state,
      row.state === 'cleared' ? 1 : 0,
      Date.parse(at),
      JSON.stringify(row),
    );
  before.close();

  const state = openState(dataDir);
  t.teardown(() => state.close());
  const store = alertStore(state, workspaceId);
  for (const row of rows) t.ok(alertSchema.safeParse(store.get(row.id)).success, row.id);
  t.match(store.get(id(1)), {
    text: 'T-0009 is in',
    steps: [{ at, rule_id: 'zone_entry', zone_id: id(8), severity: 'warning' }],
  });
  t.same(
    [3, 4, 5].map((n) => store.get(id(n))?.cleared_reason),
    ['recovered', 'lost', null],
  );
  t.match(store.open(), [
    {
      key: `track:${id(9)}`,
      events: [{ key: `zone_entry:${id(8)}:${id(1)}`, ruleId: 'zone_entry', trackIds: [id(9)] }],
    },
    { key: `event:zone_entry:${id(8)}:${id(2)}`, events: [{ count: 2, zoneId: id(8) }] },
  ]);
});

t.test('so is one of an earlier recording', async (t) => {
  const read = alertSchema.safeParse(presentAlert(old(1, { cleared_reason: 'recovered' })));
  t.match(read.data, { steps: [{ rule_id: 'zone_entry', zone_id: id(8) }], cleared_reason: 'recovered' });
});
