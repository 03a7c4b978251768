import type { Identity } from '../../model/observation.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkMessage, OdidReport } from '../wire/message.ts';
import type { OdidTag } from '../wire/odid/message.ts';
import { Bucket } from './limits.ts';
import type { LinkFeed } from './link_feed.ts';
import { hostOf } from './link_places.ts';
import { PositionPace } from './position_pace.ts';
import { RemoteIdSender, tagIdentity, takeRemoteId } from './remote_id.ts';
import { SenderMap } from './sender_map.ts';
import { type TelemetryRefusal, telemetryObservation } from './telemetry.ts';
import { TrustedSenders } from './trusted_senders.ts';

/**
 * Type of a Remote ID device (MAV_TYPE_ODID), and the ids of components that receive Remote ID
 * (MAV_COMP_ID_ODID_TXRX_1 to 3).
 */
const MAV_TYPE_ODID = 34;
const ODID_COMPONENTS = { first: 236, last: 238 };
const MAV_AUTOPILOT_INVALID = 8;
const MAV_COMP_ID_AUTOPILOT1 = 1;

/**
 * Greatest number of Remote ID reports per second on one link that are accepted as evidence although the rate limit
 * refused them.
 */
const EVIDENCE_PER_S = 20;

/** Greatest number of cached components; a full cache is cleared. */
const MOST_SYSTEMS = 1_024;
/** Greatest number of known autopilots, and the time without a heartbeat after which one is forgotten, ms. */
const MOST_AUTOPILOTS = 1_024;
const AUTOPILOT_LAPSES_MS = 60_000;

/** Times of the last heartbeat of an autopilot, and of the last signed one, ms. */
type Autopilot = { beatMs: number; signedMs: number };

/**
 * Cached receiver name, identity and position pace of one component. They are cached because each component sends
 * about ten messages a second.
 */
type System = { name: string; identity: Identity; pace: PositionPace };

/** Feed of MAVLink: Remote ID from receivers, telemetry of vehicles, and heartbeats of receivers and vehicles. */
export class MavlinkFeed {
  readonly #link: LinkFeed;
  readonly #evidence: Bucket;
  readonly #remoteId: TrustedSenders<RemoteIdSender>;
  /**
   * Autopilots by host and system id: a heartbeat of any host would otherwise make the contacts of a receiver with the
   * same system id own claims.
   */
  readonly #autopilots = new SenderMap<Autopilot>(MOST_AUTOPILOTS, AUTOPILOT_LAPSES_MS);
  /** Components that call themselves Remote ID receivers. */
  readonly #receivers = new SenderMap<true>(256);
  readonly #systems = new Map<number, System>();

  constructor(link: LinkFeed, nowMs: number) {
    this.#link = link;
    this.#evidence = new Bucket(EVIDENCE_PER_S, nowMs);
    this.#remoteId = new TrustedSenders(link.deps.settings.maxSenders);
  }

  /**
   * Processes a message. Only the kinds that the feed uses count against the rate limits, not the kind `mavlink` (all
   * other messages).
   */
  take(message: MavlinkMessage, from: string, atMs: number): void {
    switch (message.kind) {
      case 'mavlink':
        return;
      case 'odid':
        this.#takeReport(message, from, atMs);
        return;
      case 'heartbeat':
        if (this.#admit(message, atMs, false)) this.#takeHeartbeat(message, from, atMs);
        return;
      case 'global_position': {
        const refusal = this.#link.deps.refusalOf?.(from, message) ?? null;
        if (!this.#admit(message, atMs, refusal === 'id_conflict')) return;
        if (refusal === null) this.#takeTelemetry(message, from, atMs);
        else this.#refuseTelemetry(message, refusal, atMs);
      }
    }
  }

  #takeReport(message: OdidReport, from: string, atMs: number): void {
    const { name } = this.#system(message);
    const key = remoteIdKey(name, message.tag);
    const isAdmitted = this.#link.admit(key, name, atMs);
    if (!this.#isContact(message, name, from, atMs)) {
      if (isAdmitted) this.#link.ownClaims++;
    } else if (isAdmitted) this.#takeRemoteId(message, name, key, atMs);
    else this.#takeEvidence(message, name, key, atMs);
  }

  #admit(message: MavlinkHeartbeat | MavlinkGlobalPosition, atMs: number, isForged: boolean): boolean {
    const { name } = this.#system(message);
    return this.#link.admit(name, name, atMs, isForged);
  }

  #takeHeartbeat(message: MavlinkHeartbeat, from: string, atMs: number): void {
    const component = `${message.sysid}/${message.compid}`;
    if (message.type !== MAV_TYPE_ODID) {
      const { link, sensors } = this.#link.deps;
      sensors.aliveOn(link.id, component, atMs, { from, isSigned: message.signed });
      if (message.autopilot !== MAV_AUTOPILOT_INVALID) this.#noteAutopilot(message, from, atMs);
      return;
    }
    this.#receivers.of(component, () => true);
    this.#link.aliveSensor(component, 'remote_id', atMs, message.signed);
  }

  #noteAutopilot({ sysid, signed }: MavlinkHeartbeat, from: string, atMs: number): void {
    const unknown = (): Autopilot => ({ beatMs: atMs, signedMs: Number.NEGATIVE_INFINITY });
    const autopilot = this.#autopilots.of(systemKey(sysid, from), unknown, atMs);
    autopilot.beatMs = atMs;
    if (signed) autopilot.signedMs = atMs;
  }

  /** True if the system of a report has an autopilot. For a signed report only signed heartbeats show one. */
  #hasAutopilot({ sysid, signed }: OdidReport, from: string, atMs: number): boolean {
    const autopilot = this.#autopilots.again(systemKey(sysid, from), atMs);
    if (autopilot === undefined) return false;
    return atMs - (signed ? autopilot.signedMs : autopilot.beatMs) < AUTOPILOT_LAPSES_MS;
  }

  #takeRemoteId(message: OdidReport, name: string, key: string, atMs: number): void {
    const sensorId = this.#link.aliveSensor(name, 'remote_id', atMs, message.signed);
    if (!sensorId) return;
    const isProven = this.#link.deps.sensors.isProven(sensorId);
    const meet = () => new RemoteIdSender(tagIdentity(message.tag, 'mavlink'), 'mavlink');
    const sender = this.#remoteId.of(key, isProven, meet, atMs);
    takeRemoteId(this.#link, sender, message.messages, sensorId, atMs);
  }

  /**
   * Accepts some of the messages above the rate limit as evidence. A flood of messages under the identity of an
   * aircraft is evidence about their transmitter.
   */
  #takeEvidence(message: OdidReport, name: string, key: string, atMs: number): void {
    const sender = this.#remoteId.again(key, atMs);
    if (!sender || !this.#evidence.take(atMs)) return;
    const sensorId = this.#link.sensor(name, 'remote_id', atMs);
    if (!sensorId) return;
    const observation = sender.evidence(message.messages, sensorId, this.#link.deps.link.id, atMs);
    if (observation) this.#link.deps.sink(observation, 'rate');
  }

  /**
   * True for data about another aircraft. Messages of an autopilot are its own identity (devguide, opendroneid). Other
   * messages with the address of their transmitter are about another aircraft. Messages without an address are about
   * another aircraft only if a receiver component sent them, in a system without an autopilot.
   */
  #isContact(message: OdidReport, name: string, from: string, atMs: number): boolean {
    const inRange = message.compid >= ODID_COMPONENTS.first && message.compid <= ODID_COMPONENTS.last;
    if (message.compid === MAV_COMP_ID_AUTOPILOT1) return false;
    if (message.tag !== null) return true;
    if (!inRange && !this.#receivers.has(name)) return false;
    return !this.#hasAutopilot(message, from, atMs);
  }

  #takeTelemetry(message: MavlinkGlobalPosition, from: string, atMs: number): void {
    const { name, identity, pace } = this.#system(message);
    if (!pace.isDue(message, from, atMs)) return;
    const { signed } = message;
    const { link, namesOf, landedAt } = this.#link.deps;
    const sensorId = this.#link.aliveSensor(name, 'telemetry', atMs, signed);
    if (!sensorId) return;
    const observation = telemetryObservation(message, identity, sensorId, link.id, atMs);
    if (!observation) return;
    observation.authentic = link.provesSender || signed;
    // Identities bind a track to an asset. The identities besides the address are therefore added only for a proven
    // sender.
    if (observation.authentic) {
      observation.identities.push(...(namesOf?.(from, message.sysid) ?? []));
      observation.landed = landedAt?.(from, message.sysid) ?? null;
    }
    this.#link.report(observation);
  }

  /**
   * Records a refused report as a detection that updates no track. A late report, or one without a fix, leaves no
   * detection.
   */
  #refuseTelemetry(message: MavlinkGlobalPosition, refusal: TelemetryRefusal, atMs: number): void {
    const { link, sensors, sink } = this.#link.deps;
    const { name, identity } = this.#system(message);
    const sensorId = this.#link.sensor(name, 'telemetry', atMs);
    if (!sensorId) return;
    if (refusal !== 'id_conflict') sensors.alive(sensorId, atMs);
    if (refusal === 'no_fix' || refusal === 'late') return;
    const observation = telemetryObservation(message, identity, sensorId, link.id, atMs);
    if (!observation) return;
    const rejectedBy = refusal === 'jump' ? 'implausible' : refusal;
    sensors.rejected(sensorId, rejectedBy);
    sink(observation, rejectedBy);
  }

  #system({ sysid, compid }: { sysid: number; compid: number }): System {
    const key = sysid * 256 + compid;
    const known = this.#systems.get(key);
    if (known) return known;
    const value = `mavlink:${this.#link.deps.link.id}:${sysid}:${compid}`;
    const identity: Identity = { type: 'mavlink', value, transport: 'mavlink' };
    const system: System = { name: `${sysid}/${compid}`, identity, pace: new PositionPace() };
    if (this.#systems.size >= MOST_SYSTEMS) this.#systems.clear();
    this.#systems.set(key, system);
    return system;
  }
}

/** Returns the key of a system on the host of a sender. */
function systemKey(sysid: number, from: string): string {
  return `${hostOf(from)} ${sysid}`;
}

/** Returns the key of a transmitter at the receiver with a name. */
function remoteIdKey(name: string, tag: OdidTag): string {
  const address = tag !== null && 'mac' in tag ? tag.mac : tagIdentity(tag, 'mavlink')?.value;
  return `${name} ${address ?? ''}`;
}
