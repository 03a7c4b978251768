import t from 'tap';
import type { Delivery } from '../../../src/model/webhook.ts';
import { endpoint, isSigned, noticeOf, openNotify, page } from './rig.ts';

const secret = 'a secret of thirty-two characters'.replaceAll(' ', '-');
const statuses = (rows: readonly Delivery[]): string[] => rows.map(({ status, attempts }) => `${status} ${attempts}`);

t.test('a delivery says what it is, is signed, and has an id of its own', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t);
  const id = rig.make({ url, secret, headers: { authorization: 'Bearer x' } });
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(0);
  const [one] = got;
  if (!one) throw new Error('nothing came');
  t.ok(isSigned(one, secret));
  t.notOk(isSigned(one, `${secret}x`));
  t.notOk(isSigned({ ...one, text: `${one.text} ` }, secret));
  const document = JSON.parse(one.text);
  t.match(document, { kind: 'alert', workspace_id: rig.workspaceId, at: String, body: { text: String } });
  t.equal(one.headers['dunlin-delivery'], document.id);
  t.match(one.headers, { 'content-type': 'application/json', authorization: 'Bearer x' });
  t.match(rig.webhooks.deliveries(id, page).rows, [
    { status: 'done', attempts: 1, status_code: 200, error: null, took_ms: Number },
  ]);
});

t.test('what fails is tried again, later and later, in its order and with the same id', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t, (res, _got, count) => {
    res.statusCode = count < 4 ? 500 : 200;
    res.end('busy');
  });
  const id = rig.make({ url });
  rig.webhooks.offer([noticeOf({ body: { n: 1 } }), noticeOf({ body: { n: 2 } })]);
  const seen: number[] = [];
  for (const ms of [0, 999, 1, 1_999, 1, 3_999, 1]) {
    await rig.turn(ms);
    seen.push(got.length);
  }
  t.same(seen, [1, 1, 2, 2, 3, 3, 5], 'after 1 s, 2 s and 4 s; the second follows the first');
  const ids = got.map(({ headers }) => headers['dunlin-delivery']);
  t.equal(new Set(ids.slice(0, 4)).size, 1);
  t.same(
    got.map(({ text }) => JSON.parse(text).body.n),
    [1, 1, 1, 1, 2],
  );
  t.same(statuses(rig.webhooks.deliveries(id, page).rows), ['done 1', 'done 4']);
});

t.test('the wait never exceeds ten minutes, and after a day it is given up', async (t) => {
  let tries = 0;
  const send = async () => ({ status: 503, error: 'busy', refused: false, retryAfterS: null, tookMs: ++tries });
  const rig = openNotify(t, { send });
  const id = rig.make({ url: 'http://dead.example' });
  rig.webhooks.offer([noticeOf()]);
  for (let s = 0; s < 86_400; s += 10) await rig.turn(10_000);
  const [row] = rig.webhooks.deliveries(id, page).rows;
  t.equal(row?.status, 'given_up');
  t.ok(tries > 140 && tries < 160, `${tries}`);
  t.same(
    rig.notes.map(({ kind }) => kind),
    ['webhook.failing'],
    'which somebody is told of once',
  );
});

t.test('an endpoint that asks for time gets it', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t, (res) => {
    res.writeHead(429, { 'retry-after': '30' }).end();
  });
  rig.make({ url });
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(0);
  await rig.turn(29_999);
  t.equal(got.length, 1);
  await rig.turn(1);
  t.equal(got.length, 2);
});

t.test('what is wrong with a request is tried three times; what passes, on and on', async (t) => {
  for (const [status, tries] of [
    [404, 3],
    [400, 3],
    [302, 3],
    [408, 12],
    [425, 12],
    [500, 12],
  ] as const) {
    const rig = openNotify(t);
    const { url, got } = await endpoint(t, (res) => {
      res.writeHead(status, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    });
    rig.make({ url });
    rig.webhooks.offer([noticeOf()]);
    for (let i = 0; i < 12; i++) await rig.turn(600_000);
    t.equal(got.length, tries, String(status));
  }
});

t.test('one that is gone for good is switched off, which is audited and told', async (t) => {
  const rig = openNotify(t);
  const { url, got } = await endpoint(t, (res) => {
    res.writeHead(410).end();
  });
  const id = rig.make({ url });
  rig.webhooks.offer([noticeOf(), noticeOf()]);
  await rig.turn(0);
  rig.webhooks.offer([noticeOf()]);
  await rig.turn(600_000);
  t.equal(got.length, 1);
  t.match(rig.webhooks.get(id), { enabled: false, version: 2, waiting: 0 });
  t.same(statuses(rig.webhooks.deliveries(id, page).rows), ['given_up 0', 'given_up 1']);
  t.match(rig.announced.at(-1), { what: 'webhook', id, version: 2, by: 'system' });
  t.match([...rig.ledger.audit.since(0)].at(-1), { kind: 'webhook.disabled', severity: 'warning', text: /410/ });
  t.match(rig.again().webhooks.get(id), { enabled: false });
});

t.test('an endpoint that misbehaves costs its own time alone', async (t) => {
  const cases: [name: string, error: RegExp | null, answer: Parameters<typeof endpoint>[1]][] = [
    ['hangs', /did not answer within 1 s/, () => {}],
    ['closes', /hang up|reset/, (res) => void res.destroy()],
    ['redirects', /302, a redirect/, (res) => void res.writeHead(302, { location: 'http://x' }).end()],
    [
      'tells too much',
      /500: x{50}/,
      (res) => {
        res.writeHead(500);
        const more = (): void => {
          while (res.write('x'.repeat(65_536)));
          res.once('drain', more);
        };
        more();
      },
    ],
    ['never ends', /500/, (res) => void res.writeHead(500).write('so')],
    ['is well and never ends', null, (res) => void res.writeHead(204).flushHeaders()],
  ];
  const rig = openNotify(t, { timeoutMs: 1_000 });
  const ids = await Promise.all(
    cases.map(async ([name, , answer]) => rig.make({ name, url: (await endpoint(t, answer)).url })),
  );
  const good = await endpoint(t);
  rig.make({ name: 'good', url: good.url });
  rig.webhooks.offer([noticeOf()]);
  const pumped = rig.turn(0);
  const began = performance.now();
  await pumped;
  t.ok(performance.now() - began < 10_000);
  t.equal(good.got.length, 1);
  for (const [index, [name, error]] of cases.entries()) {
    const [row] = rig.webhooks.deliveries(ids[index] ?? '', page).rows;
    if (error === null) t.equal(row?.status, 'done', name);
    else t.match(row, { status: 'due', attempts: 1, error }, name);
    t.ok((row?.error?.length ?? 0) < 400);
  }
});

t.test('a queue is bounded: the least severe and oldest makes room, which is counted', async (t) => {
  const send = async () => ({ status: 503, error: 'busy', refused: false, retryAfterS: null, tookMs: 1 });
  const rig = openNotify(t, { send });
  const id = rig.make({ url: 'http://dead.example' });
  rig.webhooks.offer([noticeOf({ severity: 'critical' })]);
  await rig.turn(0);
  for (let i = 0; i < 10; i++) {
    const severity = i % 2 === 0 ? 'info' : 'critical';
    rig.webhooks.offer(Array.from({ length: 150 }, () => noticeOf({ severity })));
    rig.webhooks.flush();
  }
  t.match(rig.webhooks.get(id), { waiting: 1_000, dropped: 501 });
  const due = rig.again().webhooks;
  t.equal(due.get(id).waiting, 1_000, 'as on the disk');
  rig.webhooks.offer(Array.from({ length: 10_000 }, () => noticeOf({ severity: 'warning' })));
  rig.webhooks.flush();
  const left = rig.state.db.prepare("SELECT severity, count(*) AS n FROM deliveries WHERE status = 'due' GROUP BY 1");
  t.same(left.all(), [
    { severity: 2, n: 249 },
    { severity: 3, n: 751 },
  ]);
});

t.test('the log of a webhook goes a thousand back', async (t) => {
  const send = async () => ({ status: 200, error: null, refused: false, retryAfterS: null, tookMs: 1 });
  const rig = openNotify(t, { send });
  const id = rig.make({ url: 'http://well.example' });
  for (let i = 0; i < 3; i++) {
    rig.webhooks.offer(Array.from({ length: 500 }, () => noticeOf()));
    await rig.turn(1_000);
  }
  await rig.turn(0);
  const first = rig.webhooks.deliveries(id, { limit: 600, cursor: null });
  const second = rig.webhooks.deliveries(id, { limit: 600, cursor: first.nextCursor });
  t.same([first.rows.length, second.rows.length, second.nextCursor], [600, 400, null]);
});

t.test('a restart delivers what was due, and does not hurry', async (t) => {
  let status = 503;
  const seen: string[] = [];
  const send = async ({ body }: { body: string }) => {
    seen.push(JSON.parse(body).body.n);
    return { status, error: status === 200 ? null : 'busy', refused: false, retryAfterS: null, tookMs: 1 };
  };
  const rig = openNotify(t, { send });
  rig.make({ url: 'http://dead.example' });
  rig.webhooks.offer([noticeOf({ body: { n: 1 } }), noticeOf({ body: { n: 2 } })]);
  await rig.turn(0);
  await rig.turn(1_000);
  rig.webhooks.stop();
  const later = rig.again();
  status = 200;
  await later.turn(1_999);
  t.same(seen, [1, 1]);
  await later.turn(1);
  t.same(seen, [1, 1, 1, 2]);
});
