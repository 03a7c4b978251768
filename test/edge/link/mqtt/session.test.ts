import t from 'tap';
import { readPublishes } from '../../../../src/edge/wire/mqtt/publish.ts';
import type { Owner } from '../../../support/basics/owner.ts';
import { MqttBroker } from '../../../support/links/mqtt_broker.ts';
import { manualTime, openLink, type Rig, rigLink, until } from '../rig.ts';

const spec = (broker: MqttBroker, options: object = {}) =>
  ({ transport: 'tcp_client', protocol: 'mqtt', address: broker.address, options: { ...options } }) as const;

const messages = ({ chunks }: Rig) =>
  chunks.flatMap(({ bytes }) =>
    readPublishes(bytes).publishes.map(({ topic, payload, retain }) => ({
      topic,
      payload: payload.toString(),
      retain,
    })),
  );

t.test('a link subscribes, and its chunks are the publishes with the mark of retained ones', async (t) => {
  const broker = await MqttBroker.start(t);
  broker.publish('site/a', 'old', { retain: true });
  const rig = await openLink(t, spec(broker, { topics: ['site/#'], client_id: 'box-1' }));
  t.match(broker.connects, [{ clientId: 'box-1', keepaliveS: 30, username: null, will: null }]);
  broker.publish('elsewhere', 'no');
  broker.publish('site/b/c', 'new');
  await until('two publishes', () => messages(rig).length === 2);
  t.same(messages(rig), [
    { topic: 'site/a', payload: 'old', retain: true },
    { topic: 'site/b/c', payload: 'new', retain: false },
  ]);
  t.equal(rig.link.status().boundTo, broker.address);
  await rig.link.stop();
  await broker.until('a word at the end', () => broker.disconnects.length === 1);
  t.same(broker.faults, []);
});

t.test('without an id of its own a link has another at each opening', async (t) => {
  const broker = await MqttBroker.start(t);
  const rig = await openLink(t, spec(broker));
  broker.breakOff();
  await until('it is open again', () => broker.connects.length === 2 && rig.link.status().state === 'open');
  const [first, second] = broker.connects.map(({ clientId }) => clientId);
  t.match(first, /^dunlin[0-9a-f]{16}$/);
  t.not(first, second);
  t.same(broker.filters, ['#']);
});

/** Waits for the back-off of a link, and gives its error. */
async function refusal(t: Owner, broker: MqttBroker, options: object = {}): Promise<string | null> {
  const rig = rigLink(t, spec(broker, options));
  rig.link.start();
  await until('the refusal', () => rig.link.status().state === 'backoff');
  const { lastError } = rig.link.status();
  await rig.link.stop();
  return lastError;
}

t.test('each refusal of a broker is a sentence', async (t) => {
  const broker = await MqttBroker.start(t);
  for (const [connack, words] of [
    [1, /does not speak MQTT 3\.1\.1/],
    [2, /does not accept the client id box/],
    [3, /broker is unavailable/],
    [4, /asks for a user name and a password/],
    [5, /requires a user name and a password/],
  ] as const) {
    broker.rules = { connack };
    t.match(await refusal(t, broker, { client_id: 'box' }), words);
  }
  broker.rules = { refused: ['secret/#'] };
  t.match(await refusal(t, broker, { topics: ['secret/#'] }), /does not let this client subscribe to secret\/#/);
});

t.test('a name and a password come from the link, at each opening', async (t) => {
  const broker = await MqttBroker.start(t, { login: { username: 'dunlin', password: 'right' } });
  let password = 'wrong';
  const rig = rigLink(t, spec(broker), { login: () => ({ username: 'dunlin', password }), random: () => 0 });
  rig.link.start();
  await until('the refusal', () => rig.link.status().state === 'backoff');
  t.match(rig.link.status().lastError, /does not authorise the user dunlin/);
  password = 'right';
  await until('it is open', () => rig.link.status().state === 'open');
});

t.test('what is no broker is told as such', async (t) => {
  const broker = await MqttBroker.start(t);
  const rig = await openLink(t, spec(broker));
  broker.send(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await until('the fault', () => rig.link.status().state === 'backoff');
  t.match(rig.link.status().lastError, /is it an MQTT broker\?|quality of service|length cannot be read/);
});

t.test('one attempt at a time, by the back-off of the link', async (t) => {
  const time = manualTime();
  const broker = await MqttBroker.start(t, { connack: 3 });
  const rig = rigLink(t, spec(broker), { nowMs: time.nowMs, timers: time.timers, random: () => 0.5 });
  rig.link.start();
  const refusals = (count: number) => (): boolean =>
    broker.connects.length === count && rig.link.status().state === 'backoff';
  for (const [before, waitMs] of [500, 1_000, 2_000].entries()) {
    await until('a refusal', refusals(before + 1));
    t.equal((rig.link.status().nextRetryMs ?? 0) - time.nowMs(), waitMs);
    time.advance(waitMs);
  }
  await until('the last refusal', refusals(4));
});

t.test('a publish over 256 KiB is cut out, and the session goes on', async (t) => {
  const broker = await MqttBroker.start(t);
  const rig = await openLink(t, spec(broker));
  broker.publish('picture', Buffer.alloc(300_000, 1));
  broker.publish('a', 'after');
  await until('the next one', () => messages(rig).length === 1);
  t.same(messages(rig), [{ topic: 'a', payload: 'after', retain: false }]);
  t.equal(rig.chunks.length, 2, 'its header is there, by which the codec counts it');
  t.equal(rig.link.status().state, 'open');
});

t.test('a broker without news is no fault of the link', async (t) => {
  const time = manualTime();
  const broker = await MqttBroker.start(t);
  const rig = await openLink(t, spec(broker), { nowMs: time.nowMs, timers: time.timers });
  time.advance(120_000);
  t.match(rig.link.status(), { state: 'open', isSilent: true, lastError: 'no bytes received for 30 s' });
  broker.publish('a', 'b');
  await until('news', () => rig.link.status().lastError === null);
});
