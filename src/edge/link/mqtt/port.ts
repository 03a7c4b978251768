import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import type { MqttClient } from 'mqtt';
import { conflict } from '../../../model/fault.ts';
import { type Publish, readPublishes, writePublish } from '../../wire/mqtt/publish.ts';
import type { Cancel, FullDeps } from '../deps.ts';
import type { Port, PortEvents, Transport } from '../port.ts';
import { PacketLimit } from './packet_limit.ts';
import { explainMqtt } from './refusal.ts';
import type { MqttLogin, MqttSession } from './session.ts';

const KEEPALIVE_S = 30;
const CONNACK_MS = 5_000;
/** Time after the opening for which retained messages of an earlier session are read, ms. */
const LEFTOVERS_MS = 5_000;
/** DISCONNECT packet (MQTT 3.1.1, section 3.14). After it the broker does not publish the will. */
const disconnect = Uint8Array.from([0xe0, 0]);

/** Parameters of a session. `login` returns user name and password, null for none. */
export type MqttPlace = { peer: string; session: MqttSession; login(): MqttLogin | null };

/**
 * MQTT 3.1.1 session over another port. It takes and delivers whole PUBLISH packets, and handles all other packets
 * itself. Delivered packets have no packet identifier. A received publish that is too long is delivered as its header
 * only. The MQTT client does not reconnect by itself: the supervisor does, with its back-off.
 */
export function mqttPort(
  below: Transport,
  { peer, session, login }: MqttPlace,
  events: PortEvents,
  deps: FullDeps,
): Port {
  const clientId = session.clientId ?? `dunlin${randomBytes(8).toString('hex')}`;
  const limit = new PacketLimit();
  let from = peer;
  let client: MqttClient | null = null;
  let isOpen = false;
  let isClosed = false;
  let stopReading: Cancel = () => {};
  let failure: Error | null = null;
  /**
   * Functions that reject the requests now waiting for an answer of the broker. A `Promise.race` of each request with
   * one promise of failure would keep every publish in memory.
   */
  const waiting = new Set<(failure: Error) => void>();

  function fail(error: Error): void {
    failure ??= error;
    for (const reject of waiting) reject(failure);
    waiting.clear();
  }

  /** Settles as `request` does, or rejects as soon as the session fails. */
  function unlessFailed<T>(request: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (failure !== null) reject(failure);
      else waiting.add(reject);
      request.then(resolve, reject).finally(() => waiting.delete(reject));
    });
  }

  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      port.write(bytes).then(() => done(), done);
    },
    // The MQTT client writes one packet in several pieces, which are joined to one write of the socket.
    writev(pieces: { chunk: Buffer }[], done) {
      port.write(Buffer.concat(pieces.map(({ chunk }) => chunk))).then(() => done(), done);
    },
  });
  const port = below.port({ ...events, bytes: (bytes, sender) => received(bytes, sender) });

  function broken(sentence: string): void {
    fail(new Error(sentence));
    events.lost(sentence);
  }

  function received(bytes: Uint8Array, sender: string): void {
    from = sender;
    const passed = limit.take(bytes);
    for (const header of passed.cut) events.bytes(header, sender);
    if (passed.fault !== null) broken(`${peer} ${passed.fault}`);
    else if (passed.bytes.length > 0 && !stream.destroyed) stream.push(Buffer.concat(passed.bytes));
  }

  async function connected(given: MqttLogin | null): Promise<MqttClient> {
    const { MqttClient: Client } = (await import('mqtt')).default;
    if (isClosed) throw new Error('the link was closed while it opened');
    const made = new Client(() => stream, {
      ...{ manualConnect: true, reconnectPeriod: 0, resubscribe: false, clean: true, protocolVersion: 4 },
      ...{ clientId, keepalive: KEEPALIVE_S, connectTimeout: CONNACK_MS, timerVariant: 'native' },
      ...(given !== null && { username: given.username, ...(given.password !== null && { password: given.password }) }),
      ...(session.will !== null && { will: session.will }),
    });
    client = made;
    made.on('error', (error) => broken(explainMqtt(error, { peer, clientId, login: given }, isOpen)));
    made.on('message', (topic, payload, { retain }) => {
      if (session.leftovers.length > 0 && !retain) return;
      events.bytes(writePublish({ topic, payload, retain, qos: 0 }), from);
    });
    const answered = new Promise<void>((resolve) => made.once('connect', () => resolve()));
    made.connect();
    await unlessFailed(answered);
    return made;
  }

  async function subscribed(made: MqttClient, topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    // With quality of service 0, a publish that `PacketLimit` removes needs no acknowledgement.
    const asked = made.subscribeAsync([...topics], { qos: 0 }).catch(() => {
      throw new Error(`${peer} does not let this client subscribe to ${topics.join(', ')}`);
    });
    await unlessFailed(asked);
  }

  /**
   * Reads the retained messages of an earlier session. A broker that forbids the subscription keeps these messages;
   * this is no fault.
   */
  function readLeftovers(made: MqttClient): void {
    const topics = [...session.leftovers];
    if (topics.length === 0) return;
    subscribed(made, topics).catch(() => {});
    stopReading = deps.timers.after(LEFTOVERS_MS, () => void made.unsubscribeAsync(topics).catch(() => {}));
  }

  async function publish({ topic, payload, retain, qos }: Publish): Promise<void> {
    if (client === null || !isOpen) throw conflict(`the MQTT session with ${peer} is not open`);
    await unlessFailed(client.publishAsync(topic, payload, { retain, qos }));
  }

  return {
    async open() {
      const given = login();
      from = await port.open();
      const made = await connected(given);
      await subscribed(made, session.topics);
      isOpen = true;
      readLeftovers(made);
      return from;
    },
    async close(fault) {
      isClosed = true;
      stopReading();
      // Without a will, DISCONNECT ends the session in order. With a will it is not sent, so that the broker publishes
      // the will.
      if (isOpen && !fault && session.will === null) await port.write(disconnect).catch(() => {});
      isOpen = false;
      fail(new Error(`the session with ${peer} closed`));
      client?.end(true);
      stream.destroy();
      await port.close(fault);
    },
    async write(bytes) {
      const { publishes, fault } = readPublishes(bytes);
      if (fault !== null) throw conflict('the bytes to send are not MQTT PUBLISH packets');
      const cancel = deps.timers.after(deps.writeLimitMs, () =>
        broken(`${peer} accepted no message for ${deps.writeLimitMs / 1000} s`),
      );
      try {
        await Promise.all(publishes.map(publish));
        return bytes.length;
      } finally {
        cancel();
      }
    },
  };
}
