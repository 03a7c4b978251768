import type { Rejection } from '../../model/detection.ts';
import type { Severity } from '../../model/event.ts';
import type { Health } from '../../model/health.ts';
import type { Protocol } from '../../model/link.ts';
import type { LinkOptions } from '../../model/link_options.ts';
import type { Identity, Observation } from '../../model/observation.ts';
import type { Modality } from '../../model/sensor.ts';
import type { MavlinkGlobalPosition } from '../wire/message.ts';
import { blankObservation } from './blank.ts';
import type { Bursts } from './bursts.ts';
import type { ClockOffset } from './clock_offset.ts';
import { SenderLimits } from './limits.ts';
import { type ProtocolFeed, protocolFeedOf, type WireMessage } from './protocols.ts';
import type { ReceivedIdentities } from './received_identities.ts';
import { type FeedSink, report } from './report.ts';
import type { RowFeed } from './row_feed.ts';
import type { SensorStatuses } from './sensor_statuses.ts';
import type { FeedSettings } from './settings.ts';
import type { TelemetryRefusal } from './telemetry.ts';

export type LinkTimeSink = (utcMs: number, from: string, atMs: number) => void;

/** The way back to the senders of a link, for protocols in which the receiver answers. */
export type LinkReplies = {
  /** Id of this box at other systems, a UUID v4. */
  nodeId: string;
  utcNowMs(): number;
  /** Health of this box. */
  health(): Health;
  /** Sends bytes to one sender; they are dropped where it does not take them. */
  send(bytes: Uint8Array, to: string): void;
  /** Closes the connection of one sender. */
  cut(from: string, sentence: string): void;
};

/** Properties of the link that its feed depends on. */
type FeedLink = {
  id: string;
  name: string;
  protocol: Protocol;
  maxMsgsPerS: number;
  provesSender: boolean;
  options?: LinkOptions;
};

export type FeedDeps = {
  link: FeedLink;
  /** Other identities of the vehicle at an address of this link: its hardware id, its own Remote ID serial. */
  namesOf?: (from: string, sysid: number) => readonly Identity[];
  /** Reason to refuse a position as an observation of the vehicle that it names; null where it is accepted. */
  refusalOf?: (from: string, message: MavlinkGlobalPosition) => TelemetryRefusal | null;
  /** True where the vehicle at an address reports that it is on the ground; null where it does not report it. */
  landedAt?: (from: string, sysid: number) => boolean | null;
  settings: FeedSettings;
  sensors: SensorStatuses;
  received: ReceivedIdentities;
  rows: RowFeed;
  bursts: Bursts;
  sink: FeedSink;
  /** Absent where nobody is there to answer: in a played world. */
  replies?: LinkReplies | undefined;
  /** Receives an alert that a sensor raised. */
  alerted?(sensorId: string, severity: Severity, text: string): void;
  /** Receives the UTC that a receiver with a fix reports; absent where the link is no source of time. */
  timeReported?: LinkTimeSink | undefined;
};

/**
 * Makes observations of one link's messages, each with its sensor, its sender, its new content and its time. The feed
 * of the link's protocol reads the messages; limits, sensors and counters are here. Knows nothing of sockets and
 * nothing of tracks.
 */
export class LinkFeed {
  readonly deps: FeedDeps;
  readonly #limits: SenderLimits;
  readonly #provenLimits: SenderLimits;
  readonly #protocol: ProtocolFeed<WireMessage>;
  /** The address that the message in hand came from. */
  #from = '';
  /** Last learnt offset of a source's clock. */
  clockOffsetMs: number | null = null;
  /** Number of Remote ID messages in which a vehicle identifies itself: claims of the vehicle, not contacts. */
  ownClaims = 0;
  implausible = 0;
  /** Number of messages that the protocol does not allow of their sender, or not yet. */
  notAllowed = 0;
  /** Number of messages beyond a limit of the protocol's feed. */
  overRate = 0;
  /** Number of broadcasts of a location that was reported before. */
  repeats = 0;

  constructor(deps: FeedDeps, nowMs: number) {
    const { link, settings } = deps;
    const limits = () => new SenderLimits(settings.senderMsgsPerS, link.maxMsgsPerS, settings.maxSenders, nowMs);
    this.deps = deps;
    this.#limits = limits();
    this.#provenLimits = limits();
    this.#protocol = protocolFeedOf(link.protocol, this, nowMs);
  }

  get rateRejects(): number {
    return this.#limits.refused + this.#provenLimits.refused + this.overRate;
  }

  /** Forgets a sender that went away. */
  forget(from: string): void {
    this.#protocol.forget?.(from);
  }

  /** Sentence for people about a link that works; null without one. */
  trouble(nowMs: number): string | null {
    return this.#protocol.trouble?.(nowMs) ?? null;
  }

  take(message: WireMessage, from: string, atMs: number): void {
    this.#from = from;
    this.#protocol.take(message, from, atMs);
  }

  /**
   * Counts a message against the rate of `sender`: the aircraft it is about, else the component that sent it. `receiver` is
   * the receiver's name in the message, null where it has none. Messages of proven receivers have a rate of their own:
   * unproven senders use none of it.
   */
  admit(sender: string, receiver: string | null, atMs: number, isForged = false): boolean {
    const { link, sensors } = this.deps;
    const named = link.provesSender ? null : receiver;
    const isProven = named !== null && sensors.placesOf(link.id)?.isFromProven(named, this.#from);
    // The rate of a sender that may be forged is kept by its address too: a forger uses up no rate but its own.
    const rateName = link.provesSender && !isForged ? sender : `${this.#from} ${sender}`;
    return (isProven ? this.#provenLimits : this.#limits).admit(rateName, atMs);
  }

  /** Id of the sensor of a receiver on this link; null where the link has no place for another sensor. */
  sensor(receiver: string, modality: Modality, atMs: number, isSigned = false): string | null {
    const { link, sensors } = this.deps;
    return sensors.receivedOn(link.id, receiver, modality, atMs, { from: this.#from, isSigned });
  }

  /** Like `sensor`, and notes a sign of life of that sensor. */
  aliveSensor(receiver: string, modality: Modality, atMs: number, isSigned = false): string | null {
    const sensorId = this.sensor(receiver, modality, atMs, isSigned);
    if (sensorId) this.deps.sensors.alive(sensorId, atMs);
    return sensorId;
  }

  noteClock(sensorId: string, { offsetMs }: ClockOffset): void {
    if (offsetMs === null) return;
    this.clockOffsetMs = offsetMs;
    this.deps.sensors.clockOffset(sensorId, offsetMs);
  }

  /** A broadcast counts once, however many receivers and radios bring it in. */
  reportOnce(observation: Observation): void {
    observation.use = this.deps.bursts.useOf(observation);
    if (observation.use === 'repeat') this.repeats++;
    this.report(observation);
  }

  /** Tells the core that a rotating sensor begins a turn: what it covers and did not report since the last one was missed. */
  beginTurn(sensorId: string, scan: number, timeMs: number, atMs: number): void {
    const observation = blankObservation(sensorId, this.deps.link.id, atMs);
    this.deps.sink({ ...observation, use: 'scan', scan, timeMs: Math.min(timeMs, atMs) }, null);
  }

  report(observation: Observation): void {
    report(observation, this.deps);
  }

  /** Records an observation that moves no track, with the reason. */
  refuse(observation: Observation, reason: Rejection): void {
    this.deps.sensors.complete(observation);
    this.deps.sensors.rejected(observation.sensorId, reason);
    this.deps.sink(observation, reason);
  }
}
