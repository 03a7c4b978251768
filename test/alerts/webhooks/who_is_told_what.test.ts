import { randomBytes } from 'node:crypto';
import t from 'tap';
import { isHushed } from '../../../src/alerts/webhooks/quiet_hours.ts';
import { systemActor } from '../../../src/model/actor.ts';
import { webhookEvents } from '../../../src/model/webhook.ts';
import { endpoint, isSigned, noticeOf, openNotify, page } from './rig.ts';

const bodies = (got: readonly { text: string }[]) => got.map(({ text }) => JSON.parse(text).body);

t.test('a webhook gets the kinds it asks for, of the severity it asks for', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  rig.make({ url, events: ['alert', 'log'], least_severity: 'warning' });
  const severities = ['info', 'notice', 'warning', 'critical'] as const;
  rig.webhooks.offer(webhookEvents.flatMap((kind) => severities.map((severity) => noticeOf({ kind, severity }))));
  await rig.turn(0);
  t.same(
    got.map(({ text }) => JSON.parse(text).kind),
    ['alert', 'alert', 'log', 'log'],
  );
});

t.test('where pilots stand is told to those alone who are to know', async (t) => {
  const rig = openNotify(t);
  const [some, all] = [await endpoint(t), await endpoint(t)];
  rig.make({ url: some.url });
  rig.make({ url: all.url, include_private: true });
  const body = {
    track: { operator: { lat: 1, lon: 2 }, takeoff: { lat: 3 }, number: 'T-0001' },
    identities: [
      { type: 'operator_id', value: 'AUT12345' },
      { type: 'serial', value: 'S' },
    ],
  };
  rig.webhooks.offer([noticeOf({ body })]);
  await rig.turn(0);
  t.same(bodies(all.got), [body]);
  t.same(bodies(some.got), [
    {
      track: { operator: null, takeoff: null, number: 'T-0001' },
      identities: [
        { type: 'operator_id', value: null },
        { type: 'serial', value: 'S' },
      ],
    },
  ]);
});

t.test('quiet hours go by the clock on the wall, also when it is put forward or back', async (t) => {
  const quiet = { from: '22:00', to: '06:00', tz: 'Europe/Vienna', at_least: 'critical' } as const;
  const cases: [utc: string, hushed: boolean][] = [
    ['2025-01-15T20:59:00Z', false],
    ['2025-01-15T21:00:00Z', true],
    ['2025-01-16T04:59:00Z', true],
    ['2025-01-16T05:00:00Z', false],
    // The clock is put forward on 30 March at 01:00Z: six o'clock comes an hour sooner.
    ['2025-03-29T21:00:00Z', true],
    ['2025-03-30T03:59:00Z', true],
    ['2025-03-30T04:00:00Z', false],
    ['2025-03-30T19:59:00Z', false],
    ['2025-03-30T20:00:00Z', true],
    // And back on 26 October at 01:00Z: the night has nine hours of quiet.
    ['2025-10-25T20:00:00Z', true],
    ['2025-10-26T00:30:00Z', true],
    ['2025-10-26T01:30:00Z', true],
    ['2025-10-26T04:59:00Z', true],
    ['2025-10-26T05:00:00Z', false],
  ];
  for (const [utc, hushed] of cases) {
    t.equal(isHushed(quiet, 'warning', Date.parse(utc)), hushed, utc);
    t.equal(isHushed(quiet, 'critical', Date.parse(utc)), false);
    t.equal(isHushed(null, 'warning', Date.parse(utc)), false);
  }
  const noon = { ...quiet, from: '11:00', to: '13:00' };
  t.equal(isHushed(noon, 'info', Date.parse('2025-06-01T10:00:00Z')), true);
  t.equal(isHushed(noon, 'info', Date.parse('2025-06-01T11:00:00Z')), false);
  t.equal(isHushed({ ...quiet, to: '22:00' }, 'info', Date.parse('2025-06-01T11:00:00Z')), true, 'the whole day');
});

t.test('what quiet hours hush is not sent later; a hidden half hour of the autumn night is theirs too', async (t) => {
  const rig = openNotify(t, { nowMs: Date.parse('2025-10-26T00:30:00Z') - Date.UTC(2025, 5, 1) });
  const { url, got } = await endpoint(t);
  rig.make({ url });
  rig.webhooks.quietHours = { from: '02:00', to: '03:00', tz: 'Europe/Vienna', at_least: 'critical' };
  rig.webhooks.offer([noticeOf({ severity: 'warning' }), noticeOf({ severity: 'critical' })]);
  rig.webhooks.flush();
  await rig.turn(3_600_000);
  rig.webhooks.offer([noticeOf({ severity: 'warning' })]);
  rig.webhooks.flush();
  await rig.turn(3_600_000);
  t.same(bodies(got).length, 1, 'two o clock comes twice that night');
  rig.webhooks.offer([noticeOf({ severity: 'notice' })]);
  await rig.turn(0);
  t.equal(got.length, 2);
  t.equal(rig.webhooks.hushedCount, 2);
});

t.test('a secret is made where none is given, shown once, and stands nowhere in the clear', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  const made = rig.webhooks.create(
    {
      ...{ name: 'a', url: `${url}/t0ken`, events: ['alert'], least_severity: 'info', enabled: true },
      ...{ include_private: false, headers: { 'x-key': 'header-value-7' } },
    },
    systemActor,
  );
  t.match(made.secret, /^whs_[\w-]{43}$/);
  t.notOk('secret' in rig.webhooks.get(made.id));
  t.match(rig.webhooks.get(made.id), { has_secret: true, header_names: ['x-key'] });
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(0);
  t.ok(got[0] && isSigned(got[0], made.secret ?? ''));
  const given = randomBytes(20).toString('hex');
  rig.webhooks.update(made.id, { secret: given }, systemActor);
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(0);
  t.ok(got[1] && isSigned(got[1], given), 'the new one holds at once');
  t.equal(got[1]?.headers['x-key'], 'header-value-7', 'and the headers stay');
  const audited = JSON.stringify([...rig.ledger.audit.since(0)]);
  const stored = rig.state.db.serialize().toString('latin1');
  for (const hidden of [made.secret ?? '', given, 'header-value-7', 't0ken']) {
    t.notMatch(audited, hidden);
    t.notMatch(stored, hidden);
  }
  rig.webhooks.remove(made.id, systemActor);
  t.throws(() => rig.webhooks.get(made.id), { code: 'not_found' });
  t.same(rig.state.db.prepare('SELECT count(*) AS n FROM sealed_secrets').all(), [{ n: 0 }]);
});

t.test('without a key nothing is made, and what another key sealed says so', async (t) => {
  const none = openNotify(t, { key: { missing: 'secrets cannot be encrypted without a secret key' } });
  t.throws(() => none.make({ url: 'http://x.example' }), { code: 'not_configured', message: /without a secret key/ });
  t.same(none.webhooks.list(), []);
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  const id = rig.make({ url });
  const other = openNotify(t, { state: rig.state, key: { key: Buffer.alloc(32, 8) } });
  t.match(other.webhooks.get(id), { has_secret: false });
  other.webhooks.offer([noticeOf()]);
  for (let i = 0; i < 4; i++) await other.turn(10_000);
  t.match(other.webhooks.deliveries(id, page).rows, [{ status: 'given_up', error: /encrypted with another key/ }]);
  t.equal(got.length, 0);
});

t.test('a test goes at once, past what waits, and its outcome is the answer', async (t) => {
  const rig = openNotify(t);
  let status = 500;
  const { url, got } = await endpoint(t, (res) => void res.writeHead(status).end());
  const id = rig.make({ url });
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(0);
  status = 200;
  t.match(await rig.webhooks.test(id, systemActor), { kind: 'test', status: 'done', status_code: 200 });
  t.match(JSON.parse(got.at(-1)?.text ?? ''), { kind: 'test' });
  t.same(
    rig.webhooks.deliveries(id, page).rows.map((row) => `${row.kind} ${row.status}`),
    ['test done', 'alert due'],
  );
  rig.webhooks.update(id, { enabled: false }, systemActor);
  t.match(await rig.webhooks.test(id, systemActor), { status: 'done' });
  await rig.turn(600_000);
  t.equal(got.length, 3, 'one that is switched off keeps what waits');
  rig.webhooks.update(id, { enabled: true }, systemActor);
  await rig.turn(0);
  t.equal(got.length, 4);
});
