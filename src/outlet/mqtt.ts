import { discovery } from '../edge/wire/mqtt/home_assistant.ts';
import { type Publish, readPublishes, writePublish } from '../edge/wire/mqtt/publish.ts';
import type { MqttOptions } from '../model/outlet_options.ts';
import type { AlertView, OutletBox, OutletMessage, TrackView } from '../model/outlet_view.ts';
import { formatTime } from '../model/time.ts';
import type { OutletEncoder, OutletSession } from './kinds.ts';
import { MqttLeftovers } from './mqtt_leftovers.ts';
import { MqttPicture } from './mqtt_picture.ts';

/** Least interval of the summary and of the positions of the greatest threats (`slots`), ms. */
const SUMMARY_MS = 1_000;

/** Returns the topics below the prefix of an outlet. */
const topicsOf = (prefix: string) => ({
  status: `${prefix}/status`,
  track: (id: string) => `${prefix}/track/${id}`,
  alert: (id: string) => `${prefix}/alert/${id}`,
  alerts: `${prefix}/alerts`,
  summary: `${prefix}/summary`,
  test: `${prefix}/test`,
  slot: (slot: number) => ({
    place: `${prefix}/threat/${slot}`,
    availability: `${prefix}/threat/${slot}/status`,
  }),
});
type Topics = ReturnType<typeof topicsOf>;

const json = (topic: string, value: unknown, retain: boolean, qos: 0 | 1 = 0): Publish => ({
  ...{ topic, retain, qos },
  payload: Buffer.from(JSON.stringify(value)),
});
const text = (topic: string, words: string): Publish => ({ topic, payload: Buffer.from(words), retain: true, qos: 1 });
/**
 * Creates an empty retained message, which makes the broker delete the retained message of the topic (MQTT 3.1.1,
 * section 3.3.1.3).
 */
const ended = (topic: string): Publish => text(topic, '');
const message = (publish: Publish): OutletMessage => ({ uid: publish.topic, bytes: writePublish(publish) });

/**
 * Encoder that publishes the picture as topics of an MQTT broker. Nearly all messages are retained, so a client that
 * subscribes later gets the current state at once.
 */
export function mqttEncoder(box: OutletBox, options: MqttOptions): OutletEncoder {
  const topics = topicsOf(options.prefix);
  const picture = new MqttPicture();
  const published = new Set<string>();
  let session: BrokerSession | null = null;
  return {
    broker: {
      clientId: options.client_id,
      topics: [],
      will: text(topics.status, 'offline'),
      leftovers: [topics.track('+'), topics.alert('+')],
    },
    followsAlerts: true,
    track(view) {
      picture.put(view);
      const topic = topics.track(view.track.id);
      published.add(topic);
      return [message(json(topic, trackOf(view), true))];
    },
    end({ track }) {
      picture.end(track.id);
      published.delete(topics.track(track.id));
      return [message(ended(topics.track(track.id)))];
    },
    withdraw: () => [],
    alert(alert) {
      const topic = topics.alert(alert.id);
      const isOver = alert.state === 'cleared';
      picture.alert(alert.id, alert.state === 'active');
      if (isOver) published.delete(topic);
      else published.add(topic);
      const document = alertOf(alert);
      const kept = isOver ? ended(topic) : json(topic, document, true, 1);
      return [message(kept), message(json(topics.alerts, document, false, 1))];
    },
    test: (_place, utcMs) => [message(json(topics.test, { text: 'Dunlin test', at: formatTime(utcMs) }, false, 1))],
    presence: null,
    session(nowMs) {
      // Topics of the earlier session are deleted at the broker, except those that the current picture publishes again.
      const before = [...published];
      published.clear();
      picture.clear();
      session = new BrokerSession({ box, options, topics, picture, published, openedMs: nowMs }, before);
      return session;
    },
    farewell: () => [...published, ...(session?.kept ?? [])].map((topic) => message(ended(topic))),
  };
}

/**
 * Returns the published fields of a track. The asset is null if it is unknown or if identities are redacted. The reason
 * that a person gave for a set affiliation is never published.
 */
function trackOf({ track, threat, asset }: TrackView): object {
  const { affiliation_set: _words, asset_id, ...rest } = track;
  const { level, score } = threat ?? { level: null, score: null };
  return { ...rest, asset_id: asset === null ? null : asset_id, asset: asset?.name ?? null, level, score };
}

function alertOf({ id, severity, state, raised_at, track_ids, text: words }: AlertView): object {
  return { id, severity, state, raised_at, track_ids, text: words };
}

type BrokerDeps = {
  box: OutletBox;
  options: MqttOptions;
  topics: Topics;
  picture: MqttPicture;
  /** Topics of tracks and alerts that were published. */
  published: ReadonlySet<string>;
  openedMs: number;
};

/**
 * Maintains an MQTT session: publishes the status of the outlet and the summary, and deletes topics that an earlier
 * session left at the broker.
 */
class BrokerSession implements OutletSession {
  readonly mayBeQuiet = true;
  readonly #deps: BrokerDeps;
  readonly #leftovers: MqttLeftovers;
  /** Last payload that was published on each topic of the summary and the slots. */
  readonly #kept = new Map<string, string>();
  #isGreeted = false;
  #summaryMs = Number.NEGATIVE_INFINITY;

  /** `before` are the topics that an earlier session published. */
  constructor(deps: BrokerDeps, before: readonly string[]) {
    this.#deps = deps;
    this.#leftovers = new MqttLeftovers(deps.options.prefix, deps.openedMs);
    for (const topic of before) this.#leftovers.add(topic);
  }

  /**
   * Topics that the broker keeps, except those of published tracks and alerts. The status topic is not among them,
   * because the last will sets it to `offline`.
   */
  get kept(): string[] {
    return [...this.#entities().map(({ topic }) => topic), ...this.#kept.keys(), ...this.#leftovers.topics];
  }

  /** Notes retained messages of an earlier session. */
  received(bytes: Uint8Array): void {
    for (const { topic, payload } of readPublishes(bytes).publishes) if (payload.length > 0) this.#leftovers.add(topic);
  }

  due(nowMs: number): OutletMessage[] {
    const greeting = this.#isGreeted ? [] : this.#greeting();
    this.#isGreeted = true;
    const isDue = nowMs - this.#summaryMs >= SUMMARY_MS;
    if (isDue) this.#summaryMs = nowMs;
    return [...greeting, ...(isDue ? this.#summary() : []), ...this.#emptied(nowMs)].map(message);
  }

  #greeting(): Publish[] {
    return [text(this.#deps.topics.status, 'online'), ...this.#entities()];
  }

  #entities(): Publish[] {
    const { box, options, topics } = this.#deps;
    return options.home_assistant ? discovery(box, topics, options.slots) : [];
  }

  #summary(): Publish[] {
    const { options, topics, picture } = this.#deps;
    const summary = json(topics.summary, picture.summary(), true);
    const slots = options.home_assistant ? this.#slots() : [];
    return [summary, ...slots].filter(({ topic, payload }) => {
      const content = payload.toString();
      const isNew = this.#kept.get(topic) !== content;
      this.#kept.set(topic, content);
      return isNew;
    });
  }

  /**
   * Returns the messages with the positions of the greatest threats. Slot n has the threat of rank n. A slot whose
   * threat is missing or has no position is `offline`.
   */
  #slots(): Publish[] {
    const { options, topics, picture } = this.#deps;
    const ranked = picture.ranked();
    return Array.from({ length: options.slots }, (_, index) => {
      const { place, availability } = topics.slot(index + 1);
      const threat = ranked[index];
      if (threat === undefined || threat.lat === null || threat.lon === null)
        return [text(availability, 'offline'), json(place, {}, true)];
      const { number, level, score, affiliation, lat: latitude, lon: longitude, sigmaM } = threat;
      const gps_accuracy = Math.ceil(sigmaM ?? 0);
      const attributes = { latitude, longitude, gps_accuracy, number, level, score, affiliation, text: threat.text };
      return [json(place, attributes, true), text(availability, 'online')];
    }).flat();
  }

  #emptied(nowMs: number): Publish[] {
    return this.#leftovers.due(nowMs, this.#deps.published).map(ended);
  }
}
