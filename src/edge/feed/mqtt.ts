import { isDeepStrictEqual } from 'node:util';
import { haeOfMsl } from '../../geo/geoid.ts';
import type { Observation } from '../../model/observation.ts';
import type { Placement } from '../../model/sensor.ts';
import type {
  BrokerAircraft,
  BrokerHeartbeat,
  BrokerMessage,
  BrokerOffline,
  BrokerRemoteId,
  BrokerSignal,
} from '../wire/mqtt/message.ts';
import { AdsbSender } from './adsb.ts';
import { blankObservation } from './blank.ts';
import { ClockOffset } from './clock_offset.ts';
import type { LinkFeed } from './link_feed.ts';
import type { ProtocolFeed } from './protocols.ts';
import { RemoteIdSender, takeRemoteId } from './remote_id.ts';
import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';
import { TrustedSenders } from './trusted_senders.ts';

/** Difference between the times of a retained message and now above which the message is discarded, ms. */
const RETAINED_MS = 10_000;
/** Greatest number of receivers whose clock and topics are kept. */
const MOST_RECEIVERS = 256;
/** Least interval between two positions of one receiver, ms: each change is sent to every client. */
const MOVES_EVERY_MS = 10_000;
/**
 * Time without messages under a receiver's topic prefix after which another prefix replaces it, ms.
 */
const BASE_HOLDS_MS = 60_000;
/** Suffixes of the sensor names of a receiver, by modality. */
const parts = { remote_id: '', adsb: ' ADS-B', rf: ' signals' } as const;

type Modality = keyof typeof parts;
type Receiver = {
  name: string;
  /**
   * Prefix of the receiver's topics. An offline message counts only under this prefix. `baseMs` is the time of the last
   * message under it.
   */
  base: string;
  baseMs: number;
  clock: ClockOffset;
  place: Placement | null;
  placedMs: number;
};
type Dated = Exclude<BrokerMessage, BrokerOffline & { base: string }>;
type From<Content> = Content & { base: string };

/**
 * Feed of receivers that report over an MQTT broker. A receiver has up to three sensors: for Remote ID, ADS-B and
 * signals.
 */
export function mqttFeed(link: LinkFeed): ProtocolFeed<BrokerMessage> {
  return new MqttFeed(link);
}

class MqttFeed {
  readonly #link: LinkFeed;
  readonly #senders: TrustedSenders<RemoteIdSender>;
  readonly #aircraft: SenderMap<AdsbSender>;
  readonly #receivers = new SenderMap<Receiver>(MOST_RECEIVERS);

  constructor(link: LinkFeed) {
    const { maxSenders } = link.deps.settings;
    this.#link = link;
    this.#senders = new TrustedSenders(maxSenders);
    this.#aircraft = new SenderMap(maxSenders, FORGET_SILENT_MS);
  }

  take(message: BrokerMessage, _from: string, atMs: number): void {
    if (message.kind === 'offline') this.#offline(message, atMs);
    else if (isOutdated(message, atMs)) this.#link.notAllowed++;
    else if (message.kind === 'remote_id') this.#remoteId(message, atMs);
    else if (message.kind === 'aircraft') this.#adsb(message, atMs);
    else if (message.kind === 'signal') this.#signal(message, atMs);
    else this.#heartbeat(message, atMs);
  }

  #remoteId(message: From<BrokerRemoteId>, atMs: number): void {
    const { mac, name, transport, messages, receiver } = message;
    const key = mac ?? name ?? '';
    if (!this.#link.admit(key, receiver, atMs)) return;
    const sensorId = this.#sensor(message, 'remote_id', atMs);
    if (sensorId === null) return;
    if (messages.length === 0) {
      this.#presence(message, sensorId, atMs);
      return;
    }
    const tag = mac === null ? null : ({ type: 'mac', value: mac, transport } as const);
    const { provesSender } = this.#link.deps.link;
    const sender = this.#senders.of(
      `${key} ${transport}`,
      provesSender,
      () => new RemoteIdSender(tag, transport),
      atMs,
    );
    takeRemoteId(this.#link, sender, messages, sensorId, atMs, (observation) => {
      observation.rssiDbm = message.rssiDbm;
      observation.centerHz = message.centerHz;
      observation.takeoff = message.takeoff ?? observation.takeoff;
      if (observation.report === 'position') observation.sigmaHM ??= message.sigmaHM;
      this.#date(observation, message, sensorId);
    });
  }

  /** Reports a transmission without identity and position. */
  #presence(
    { rssiDbm, centerHz, ...message }: Dated & { rssiDbm: number | null; centerHz: number | null },
    sensorId: string,
    atMs: number,
  ): void {
    const observation = blankObservation(sensorId, this.#link.deps.link.id, atMs);
    observation.rssiDbm = rssiDbm;
    observation.centerHz = centerHz;
    this.#date(observation, message as Dated, sensorId);
    this.#link.report(observation);
  }

  #adsb(message: From<BrokerAircraft>, atMs: number): void {
    const { sbs, receiver } = message;
    if (!this.#link.admit(sbs.icao24, receiver, atMs)) return;
    const sensorId = this.#sensor(message, 'adsb', atMs);
    if (sensorId === null) return;
    const sender = this.#aircraft.of(sbs.icao24, () => new AdsbSender(), atMs);
    const observation = sender.take(sbs, sensorId, this.#link.deps.link.id, atMs);
    if (observation !== null) this.#link.report(observation);
  }

  #signal(message: From<BrokerSignal>, atMs: number): void {
    if (!this.#link.admit(`${message.receiver ?? ''} signals`, message.receiver, atMs)) return;
    const sensorId = this.#sensor(message, 'rf', atMs);
    if (sensorId === null) return;
    this.#presence(message, sensorId, atMs);
  }

  #heartbeat(message: From<BrokerHeartbeat>, atMs: number): void {
    const { receiver, place } = message;
    if (!this.#link.admit(receiver ?? '', receiver, atMs)) return;
    const sensorId = this.#sensor(message, 'remote_id', atMs);
    if (sensorId === null || place === null) return;
    const { lat, lon, altMslM, altHaeM } = place;
    const height = altHaeM ?? (altMslM === null ? null : haeOfMsl(altMslM, lat, lon));
    const placement = { lat, lon, ...(height === null ? {} : { alt_hae_m: height }), mount: 'mobile' } as const;
    const known = receiver === null ? undefined : this.#receivers.again(receiver);
    if (known === undefined || atMs - known.placedMs < MOVES_EVERY_MS) return;
    known.placedMs = atMs;
    if (isDeepStrictEqual(known.place, placement)) return;
    known.place = placement;
    this.#link.deps.sensors.reported(sensorId, { placement });
  }

  /**
   * Marks the named receiver as offline, or all receivers if the message names none. Only receivers that report under
   * the message's topic prefix are marked, since anybody may publish about any name.
   */
  #offline({ receiver, base }: From<BrokerOffline>, atMs: number): void {
    if (!this.#link.admit(`${base} offline`, receiver, atMs)) return;
    const { sensors, link } = this.#link.deps;
    const gone = this.#receivers
      .values()
      .filter((one) => one.base === base && (receiver === null || one.name === receiver));
    for (const { name } of gone)
      for (const part of Object.values(parts)) sensors.offline(link.id, `${name}${part}`, atMs);
  }

  #sensor({ receiver, base }: Dated, modality: Modality, atMs: number): string | null {
    if (receiver !== null) this.#bind(receiver, base, atMs);
    const part = parts[modality];
    return this.#link.aliveSensor(receiver === null ? part.trimStart() : `${receiver}${part}`, modality, atMs);
  }

  /**
   * Notes the topic prefix of a receiver. The prefix changes only after `BASE_HOLDS_MS` without messages under the
   * known one.
   */
  #bind(name: string, base: string, atMs: number): void {
    const made = { name, base, baseMs: atMs, place: null, placedMs: Number.NEGATIVE_INFINITY };
    const known = this.#receivers.of(name, () => ({ ...made, clock: new ClockOffset() }));
    if (known.base !== base && atMs - known.baseMs < BASE_HOLDS_MS) return;
    known.base = base;
    known.baseMs = atMs;
  }

  /**
   * Replaces the transmitter's time by the receiver's time if the message states one. A message with a time but without
   * a receiver's name, or under another topic prefix than the receiver's, is dated by its arrival.
   */
  #date(observation: Observation, { sourceMs, receiver, base }: Dated, sensorId: string): void {
    observation.isUndated = false;
    if (sourceMs === null) return;
    const known = receiver === null ? undefined : this.#receivers.again(receiver);
    const clock = known?.base === base ? known.clock : null;
    observation.sourceMs = sourceMs;
    observation.timeMs = clock?.correct(sourceMs, observation.receivedMs) ?? observation.receivedMs;
    if (clock) this.#link.noteClock(sensorId, clock);
  }
}

/**
 * True for a retained message (one published before the subscription) whose time is missing or over `RETAINED_MS` from
 * now. Heartbeats are exempt.
 */
function isOutdated({ isRetained, sourceMs, kind }: Dated, atMs: number): boolean {
  if (!isRetained || kind === 'heartbeat') return false;
  return sourceMs === null || Math.abs(atMs - sourceMs) > RETAINED_MS;
}
