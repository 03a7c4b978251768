import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createMqttCodec } from '../../../src/edge/wire/mqtt/codec.ts';
import { writePublish } from '../../../src/edge/wire/mqtt/publish.ts';
import type { Rejects } from '../../../src/model/link.ts';
import type { Observation } from '../../../src/model/observation.ts';
import type { Sensor } from '../../../src/model/sensor.ts';

const LINK = 'broker';
const FROM = '10.0.0.9:1883';

/** A link to a broker as the daemon runs it, fed with publishes at times of the test's own. */
export function brokerFeed(beginMs: number) {
  let nowMs = beginMs;
  const observations: Observation[] = [];
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 };
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => nowMs,
  );
  const sink = (observation: Observation) => void observations.push(observation);
  const base = { settings, sensors, sink };
  const own = { receiver: '', modality: 'remote_id' } as const;
  sensors.beginLink({ id: LINK, name: LINK, silenceS: 30, own, isTrusted: true, isSerial: false });
  sensors.linkUp(LINK, { state: 'open', hasCarrier: true });
  const link = { id: LINK, name: LINK, protocol: 'mqtt', maxMsgsPerS: 5_000, provesSender: false } as const;
  const feed = new LinkFeed({ ...base, rows: new RowFeed(base), link, bursts: new Bursts() }, beginMs);
  const codec = createMqttCodec();
  return {
    observations,
    /** Takes one publish, `afterMs` after the beginning. */
    publish(topic: string, payload: string | Buffer, { afterMs = 0, retain = false } = {}): void {
      nowMs = beginMs + afterMs;
      const bytes = writePublish({ topic, payload: Buffer.from(payload), retain, qos: 0 });
      const { signsOfLife } = codec.radio ?? {};
      codec.decode(bytes, FROM, nowMs, (message) => feed.take(message, FROM, nowMs));
      if (codec.radio?.signsOfLife !== signsOfLife) sensors.linkAlive(LINK, nowMs);
      sensors.linkRadio(LINK, codec.radio?.warning(nowMs) ?? null);
    },
    sensors,
    get rateRejects(): number {
      return feed.rateRejects;
    },
    get messages(): number {
      return codec.messages;
    },
    rejects(): Rejects {
      const { implausible, not_allowed } = codec.rejects;
      const own = { implausible: implausible + feed.implausible, not_allowed: not_allowed + feed.notAllowed };
      return { ...codec.rejects, ...own };
    },
    /** The sensor of a receiver, or the link's own without a name. */
    sensor(receiver?: string): Sensor | undefined {
      const name = receiver === undefined ? LINK : `${LINK} ${receiver}`;
      return sensors.list(nowMs).find((sensor) => sensor.name === name);
    },
  };
}
