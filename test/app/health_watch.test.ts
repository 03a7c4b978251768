import t from 'tap';
import { HealthWatch } from '../../src/app/health_watch.ts';
import type { Firing } from '../../src/model/firing.ts';
import type { Health, HealthPart } from '../../src/model/health.ts';

const beginMs = Date.UTC(2026, 5, 1, 10);

/** A box whose history and clock are as the test says; each second passes at once. */
function box() {
  let nowMs = beginMs;
  const history = { dropped: 0, state: 'ok' as 'ok' | 'degraded' };
  const parts: HealthPart[] = [
    { name: 'history', state: 'up', needed: false, text: 'writes' },
    { name: 'clock', state: 'up', needed: false, text: 'set by a time server' },
  ];
  const [published, firings, rows]: [Health[], Firing[], string[]] = [[], [], []];
  const watch = new HealthWatch({
    health: () => ({ healthy: true, parts: structuredClone(parts) }),
    history: { status: () => history as never },
    world: {
      alerts: { take: (some: readonly Firing[]) => void firings.push(...some) } as never,
      note: (kind, _severity, text) => void rows.push(`${kind}: ${text}`),
    },
    announce: (health) => void published.push(health),
    nowMs: () => nowMs,
    utcMs: () => nowMs,
  });
  const seconds = (count: number): void => {
    for (let second = 0; second < count; second++) {
      nowMs += 1_000;
      watch.everySecond();
    }
  };
  const set = (name: string, state: HealthPart['state'], text: string): void => {
    const part = parts.find((one) => one.name === name);
    if (part) Object.assign(part, { state, text });
  };
  return { watch, history, published, firings, rows, seconds, set, parts };
}

t.test('a part that is not well is published at once, alerted after 3 s, and its alert ends with it', async (t) => {
  const { firings, published, seconds, set } = box();
  seconds(1);
  t.same(
    firings.map(({ change, key }) => `${change} ${key}`),
    ['ended box:history', 'ended box:clock', 'ended box:state', 'ended box:load'],
    'what an earlier run left is over',
  );
  firings.length = 0;
  set('clock', 'degraded', 'it was never set');
  seconds(2);
  t.equal(published.length, 1);
  t.same(firings, []);
  seconds(3);
  t.match(firings, [
    { change: 'raised', key: 'box:clock', severity: 'warning', text: /^The clock: it was never set\. Times/ },
  ]);
  set('clock', 'up', 'set by a time server');
  seconds(3);
  t.match(firings.slice(1), [{ change: 'ended', key: 'box:clock', because: 'recovered' }]);
});

t.test('words alone are published every 5 s at most', async (t) => {
  const { published, seconds, set } = box();
  for (let second = 0; second < 20; second++) {
    set('history', 'up', `${second} rows wait`);
    seconds(1);
  }
  t.ok(published.length >= 3 && published.length <= 4, `${published.length} events in 20 s`);
});

t.test('rows that found no room are one row of the log that names the gap, once there is room', async (t) => {
  const { history, rows, seconds, set } = box();
  history.state = 'degraded';
  set('history', 'degraded', 'its disk is full');
  seconds(10);
  for (let second = 0; second < 5; second++) {
    history.dropped += 100;
    seconds(1);
  }
  seconds(10);
  t.same(rows, []);
  history.state = 'ok';
  seconds(5);
  const [from, to] = ['2026-06-01T10:00:11.000Z', '2026-06-01T10:00:15.000Z'];
  t.same(rows, [
    `history.gap: the history has a gap from ${from} to ${to}: 500 rows were dropped while it could not be written`,
  ]);
});

t.test('a part that is shown only while it is unwell ends its alert by leaving', async (t) => {
  const { firings, seconds, parts } = box();
  seconds(1);
  firings.length = 0;
  parts.push({ name: 'state', state: 'degraded', needed: false, text: 'the disk refuses changes: state.db' });
  seconds(5);
  t.match(firings, [
    { change: 'raised', key: 'box:state', text: /^The state database: the disk refuses changes: state.db. / },
  ]);
  parts.pop();
  seconds(1);
  t.match(firings.slice(1), [{ change: 'ended', key: 'box:state', because: 'recovered' }]);
  parts.push({ name: 'state', state: 'down', needed: true, text: 'started in recovery' });
  seconds(10);
  t.equal(firings.length, 2, 'the start in recovery alerts by itself');
});
