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
import { type FeedSink, report } from './report.ts';
import type { RowFeed } from './row_feed.ts';
import type { SensorStatuses } from './sensor_statuses.ts';
import type { FeedSettings } from './settings.ts';
import type { TelemetryRefusal } from './telemetry.ts';

export type LinkTimeSink = (utcMs: number, from: string, atMs: number) => void;

/** Sends answers to the senders of a link, for protocols in which the receiver answers. */
export type LinkReplies = {
  /** Id of this box for other systems, a UUID v4. */
  nodeId: string;
  utcNowMs(): number;
  /** Health of this box. */
  health(): Health;
  /** Sends bytes to one sender; discards them if too many bytes wait for it, or bytes wait for too many senders. */
  send(bytes: Uint8Array, to: string): void;
  /** Closes the connection of one sender; `sentence` is the reason. */
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
  /**
   * Returns the identities of the vehicle at an address of this link besides that address. They are its hardware id,
   * its own Remote ID serial, and its proven addresses on other links.
   */
  namesOf?: (from: string, sysid: number) => readonly Identity[];
  /**
   * Returns the reason if a position that a vehicle reports must not become an observation of the vehicle; null if it
   * may.
   */
  refusalOf?: (from: string, message: MavlinkGlobalPosition) => TelemetryRefusal | null;
  /** Returns whether the vehicle at an address reports that it is on the ground; null if it does not report this. */
  landedAt?: (from: string, sysid: number) => boolean | null;
  settings: FeedSettings;
  sensors: SensorStatuses;
  rows: RowFeed;
  bursts: Bursts;
  sink: FeedSink;
  /** Absent in a simulation or a replay, where no sender can be answered. */
  replies?: LinkReplies | undefined;
  /** Receives an alert that a sensor raised. */
  alerted?(sensorId: string, severity: Severity, text: string): void;
  /** Receives the UTC from a satellite receiver with a fix; absent if the link is no time source. */
  timeReported?: LinkTimeSink | undefined;
};

/**
 * Converts the messages of one link into observations, each with its sensor, identities, content and time. The feed
 * of the link's protocol interprets the messages. This class has the limits, sensors and counters. It knows neither
 * sockets nor tracks.
 */
export class LinkFeed {
  readonly deps: FeedDeps;
  readonly #limits: SenderLimits;
  readonly #provenLimits: SenderLimits;
  readonly #protocol: ProtocolFeed<WireMessage>;
  /** Sender's address of the message being processed. */
  #from = '';
  /** Last learnt offset of a source's clock, ms; null until one is learnt. */
  clockOffsetMs: number | null = null;
  /**
   * Number of Remote ID messages in which a vehicle of this link identifies itself. They report no other aircraft, so
   * they make no observations.
   */
  ownClaims = 0;
  implausible = 0;
  /** Number of messages that the protocol does not allow from their sender, or not at this time. */
  notAllowed = 0;
  /** Number of messages above a rate limit inside the protocol's feed. */
  overRate = 0;
  /** Number of broadcasts that repeat a location already reported. */
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

  /** Forgets a sender whose connection ended. */
  forget(from: string): void {
    this.#protocol.forget?.(from);
  }

  /** Returns a sentence about a problem of a working link; null without one. */
  trouble(nowMs: number): string | null {
    return this.#protocol.trouble?.(nowMs) ?? null;
  }

  take(message: WireMessage, from: string, atMs: number): void {
    this.#from = from;
    this.#protocol.take(message, from, atMs);
  }

  /**
   * Counts a message against the rate of `sender`, and returns whether it is accepted. `sender` is the aircraft that
   * the message is about, else the component that sent it. `receiver` is the receiver's name in the message; null if
   * the message names none. Messages of proven receivers have a rate of their own, which unproven senders cannot use
   * up.
   */
  admit(sender: string, receiver: string | null, atMs: number, isForged = false): boolean {
    const { link, sensors } = this.deps;
    const named = link.provesSender ? null : receiver;
    const isProven = named !== null && sensors.placesOf(link.id)?.isFromProven(named, this.#from);
    // A sender that may be forged has a rate for each address: a forger uses up only the rate of its own address.
    const rateName = link.provesSender && !isForged ? sender : `${this.#from} ${sender}`;
    return (isProven ? this.#provenLimits : this.#limits).admit(rateName, atMs);
  }

  /**
   * Returns the id of the sensor for which a receiver's message counts; null if the message is discarded
   * (`SensorStatuses.receivedOn`).
   */
  sensor(receiver: string, modality: Modality, atMs: number, isSigned = false): string | null {
    const { link, sensors } = this.deps;
    return sensors.receivedOn(link.id, receiver, modality, atMs, { from: this.#from, isSigned });
  }

  /** Returns the same id as `sensor`, and notes a sign of life of that sensor. */
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

  /** Reports a broadcast, which counts once, however many receivers and radios deliver it. */
  reportOnce(observation: Observation): void {
    observation.use = this.deps.bursts.useOf(observation);
    if (observation.use === 'repeat') this.repeats++;
    this.report(observation);
  }

  /**
   * Tells the core that a rotating sensor begins a scan. The core then counts a missed detection for each track in the
   * sensor's coverage that the last scan did not report.
   */
  beginTurn(sensorId: string, scan: number, timeMs: number, atMs: number): void {
    const observation = blankObservation(sensorId, this.deps.link.id, atMs);
    this.deps.sink({ ...observation, use: 'scan', scan, timeMs: Math.min(timeMs, atMs) }, null);
  }

  report(observation: Observation): void {
    report(observation, this.deps);
  }

  /** Records an observation with the reason of its refusal; it does not update a track. */
  refuse(observation: Observation, reason: Rejection): void {
    this.deps.sensors.complete(observation);
    this.deps.sensors.rejected(observation.sensorId, reason);
    this.deps.sink(observation, reason);
  }
}
