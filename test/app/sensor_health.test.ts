import t from 'tap';
import { sensorHealth } from '../../src/app/health_service.ts';
import type { WatchedSensor } from '../../src/edge/feed/sensor_document.ts';

const sensor = (name: string, more: Partial<WatchedSensor> = {}): WatchedSensor => ({
  ...{ id: name, name, state: 'operational', reason: null, lifeMs: null, isReceived: false },
  ...{ deadlineInS: null, watchesSky: true, isFull: false },
  ...more,
});
const received = (name: string): WatchedSensor => sensor(name, { isReceived: true, lifeMs: 1 });
const waiting = (name: string): WatchedSensor => sensor(name, { state: 'unknown', deadlineInS: 9 });
const silent = (name: string): WatchedSensor => sensor(name, { state: 'silent' });
const telemetry = (row: WatchedSensor): WatchedSensor => ({ ...row, watchesSky: false });

t.test('a box is deaf once a sensor that watches the sky is late and none is received', async (t) => {
  const stateOf = (...rows: WatchedSensor[]): string => sensorHealth(rows).state;
  t.equal(stateOf(silent('a'), waiting('b')), 'down');
  t.equal(stateOf(sensor('a', { state: 'fault' }), waiting('b')), 'down');
  t.equal(stateOf(silent('a'), telemetry(received('b'))), 'down', 'telemetry watches no sky');
  t.equal(stateOf(sensor('a', { state: 'fault', isReceived: true })), 'down', 'its link went down a moment ago');
  t.equal(stateOf(waiting('a'), waiting('b')), 'degraded', 'before the first deadline');
  t.equal(stateOf(waiting('a'), telemetry(silent('b'))), 'degraded');
  t.equal(stateOf(silent('a'), received('b')), 'degraded');
  t.equal(stateOf(silent('a'), sensor('b')), 'degraded', 'quiet as allowed');
  t.equal(stateOf(silent('a'), sensor('b', { state: 'degraded', isReceived: true })), 'degraded');
  t.equal(stateOf(silent('a'), sensor('b', { state: 'off' })), 'down');
  t.equal(stateOf(received('a'), sensor('b')), 'up');
  t.equal(stateOf(telemetry(silent('a'))), 'degraded', 'nothing watches the sky');
  t.equal(stateOf(), 'degraded');
});

t.test('the numbers of its sentence are those of its list', async (t) => {
  const textOf = (...rows: WatchedSensor[]): string => sensorHealth(rows).text;
  t.equal(
    textOf(waiting('a'), silent('b'), received('c')),
    '2 of 3 not received: b silent; a unknown, deadline in 9 s',
  );
  t.equal(textOf(silent('a'), telemetry(silent('b'))), '1 of 1 not received: a silent. Besides: b silent');
  t.equal(textOf(received('a'), telemetry(silent('b'))), '1 of 2 received: b silent');
  t.equal(textOf(received('a'), sensor('b')), '1 of 2 received, 1 silent as allowed');
  const many = Array.from({ length: 11 }, (_, n) => silent(`s${n}`));
  t.match(textOf(...many, received('r')), /^11 of 12 not received: s0 silent; .*s7 silent; and 3 more$/);
});
