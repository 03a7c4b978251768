import type { Identity, Observation } from '../../model/observation.ts';
import type { Modality } from '../../model/sensor.ts';
import type {
  MavlinkGlobalPosition,
  MavlinkHeartbeat,
  NmeaFix,
  ObservationRow,
  OdidJsonLine,
  OdidReport,
  SbsMessage,
  WireMessage,
} from '../wire/message.ts';
import { AdsbSender } from './adsb.ts';
import type { Bursts } from './bursts.ts';
import type { ClockOffset } from './clock_offset.ts';
import { Esp32Sender } from './esp32.ts';
import type { HeardBook } from './heard.ts';
import { Bucket, SenderLimits } from './limits.ts';
import { OWN_POSITION } from './own_position.ts';
import { PositionPace } from './position_pace.ts';
import { RemoteIdSender, tagIdentity } from './remote_id.ts';
import type { RowFeed } from './row_feed.ts';
import { SenderMap } from './sender_map.ts';
import type { SensorBook } from './sensor_book.ts';
import type { FeedSettings } from './settings.ts';
import { type TelemetryRefusal, telemetryObservation } from './telemetry.ts';
import { type FeedSink, tell } from './tell.ts';
import { TrustedSenders } from './trusted_senders.ts';

/** MAV_TYPE_ODID and the components that receive Remote ID from others (MAV_COMP_ID_ODID_TXRX_1 to 3). */
const MAV_TYPE_ODID = 34;
const ODID_COMPONENTS = { first: 236, last: 238 };
const MAV_AUTOPILOT_INVALID = 8;
const MAV_COMP_ID_AUTOPILOT1 = 1;
/** NMEA tells the height in another sentence (GGA) than the speed (RMC): both place the box, and the height holds for so long. */
const OWN_HEIGHT_JOIN_MS = 10_000;

/** Of what is refused for its rate, so many reports a second are looked at on one link. */
const EVIDENCE_PER_S = 20;

/** Components whose names are remembered; beyond it they are made anew. */
const MOST_SYSTEMS = 1_024;

/** A component of a system as it is named here and as it is named to the world: made once, as ten a second come of each. */
type System = { name: string; identity: Identity; pace: PositionPace };

export type FeedRim = {
  link: { id: string; name: string; maxMsgsPerS: number; provesSender: boolean };
  /** Other names of the vehicle that speaks from an address of this link: its hardware id, its own Remote ID serial. */
  namesOf?: (from: string, sysid: number) => readonly Identity[];
  /** Why a position is no observation of the vehicle that it says to be of; null where it is one. */
  refusalOf?: (from: string, message: MavlinkGlobalPosition) => TelemetryRefusal | null;
  /** Whether the vehicle at an address says that it stands on the ground; null where it says nothing. */
  landedAt?: (from: string, sysid: number) => boolean | null;
  settings: FeedSettings;
  sensors: SensorBook;
  heard: HeardBook;
  rows: RowFeed;
  bursts: Bursts;
  sink: FeedSink;
};

/**
 * Makes observations of one link's messages: which sensor heard it, which sender said it, what is new in it, and when
 * it held. Knows nothing of sockets and nothing of tracks.
 */
export class LinkFeed {
  readonly #rim: FeedRim;
  readonly #limits: SenderLimits;
  readonly #provenLimits: SenderLimits;
  readonly #evidence: Bucket;
  /** The address that the message in hand came from. */
  #from = '';
  readonly #remoteId: TrustedSenders<RemoteIdSender>;
  readonly #adsb: SenderMap<AdsbSender>;
  readonly #esp32: SenderMap<Esp32Sender>;
  /** Systems on this link that have an autopilot, and components that call themselves Remote ID receivers. */
  readonly #autopilots = new SenderMap<true>(256);
  readonly #receivers = new SenderMap<true>(256);
  readonly #systems = new Map<number, System>();
  #clockOffsetMs: number | null = null;
  #ownHeight = { altHaeM: 0, atMs: Number.NEGATIVE_INFINITY };
  /** Remote ID that a vehicle tells of itself: a claim of its own fleet row, not a contact. */
  ownClaims = 0;
  implausible = 0;
  /** Broadcasts of a location that was told before. */
  repeats = 0;

  constructor(rim: FeedRim, nowMs: number) {
    const { maxSenders, senderMsgsPerS } = rim.settings;
    this.#rim = rim;
    this.#limits = new SenderLimits(senderMsgsPerS, rim.link.maxMsgsPerS, maxSenders, nowMs);
    this.#provenLimits = new SenderLimits(senderMsgsPerS, rim.link.maxMsgsPerS, maxSenders, nowMs);
    this.#evidence = new Bucket(EVIDENCE_PER_S, nowMs);
    this.#remoteId = new TrustedSenders(maxSenders);
    this.#adsb = new SenderMap(maxSenders);
    this.#esp32 = new SenderMap(maxSenders);
  }

  get rateRejects(): number {
    return this.#limits.refused + this.#provenLimits.refused;
  }

  get clockOffsetMs(): number | null {
    return this.#clockOffsetMs;
  }

  /** Messages that no observation is made of (the rest of MAVLink) pass without counting. */
  take(message: WireMessage, from: string, atMs: number): void {
    if (message.kind === 'mavlink') return;
    const refusal = message.kind === 'global_position' ? (this.#rim.refusalOf?.(from, message) ?? null) : null;
    this.#from = from;
    if (!this.#admit(message, from, atMs, refusal === 'id_conflict')) {
      if (message.kind === 'odid') this.#takeEvidence(message, atMs);
      return;
    }
    switch (message.kind) {
      case 'odid':
        this.#takeRemoteId(message, atMs);
        break;
      case 'odid_raw':
        this.#takeBareRemoteId(message.messages, from, atMs);
        break;
      case 'heartbeat':
        this.#takeHeartbeat(message, atMs);
        break;
      case 'global_position':
        if (refusal === null) this.#takeTelemetry(message, from, atMs);
        else this.#refuseTelemetry(message, refusal, atMs);
        break;
      case 'odid_json':
        this.#takeEsp32(message, atMs);
        break;
      case 'sbs':
        this.#takeAdsb(message, atMs);
        break;
      case 'nmea_fix':
        this.#takeFix(message, atMs);
        break;
      case 'observation':
        this.#takeRow(message, atMs);
        break;
      default:
        // A kind that has no branch does not compile.
        message satisfies never;
    }
  }

  #takeEsp32(line: OdidJsonLine, atMs: number): void {
    const sender = this.#esp32.of(line.mac.toUpperCase(), () => new Esp32Sender());
    const { id: linkId } = this.#rim.link;
    const sensorId = this.#sensor(line.receiver ?? '', 'remote_id', atMs);
    if (!sensorId) return;
    this.#rim.sensors.alive(sensorId, atMs);
    const observation = sender.take(line, sensorId, linkId, atMs);
    if (observation) this.#tellOnce(observation);
  }

  #takeAdsb(message: SbsMessage, atMs: number): void {
    const sender = this.#adsb.of(message.icao24, () => new AdsbSender());
    const { id: linkId } = this.#rim.link;
    this.#takeLine('', 'adsb', atMs, false, (sensorId) => sender.take(message, sensorId, linkId, atMs));
  }

  #takeHeartbeat(message: MavlinkHeartbeat, atMs: number): void {
    const component = `${message.sysid}/${message.compid}`;
    this.#rim.sensors.aliveOn(this.#rim.link.id, component, atMs);
    if (message.autopilot !== MAV_AUTOPILOT_INVALID && message.type !== MAV_TYPE_ODID) {
      this.#autopilots.of(String(message.sysid), () => true);
      return;
    }
    if (message.type !== MAV_TYPE_ODID) return;
    this.#receivers.of(component, () => true);
    const sensorId = this.#sensor(component, 'remote_id', atMs, message.signed);
    if (sensorId) this.#rim.sensors.alive(sensorId, atMs);
  }

  #takeRemoteId(message: OdidReport, atMs: number): void {
    const component = `${message.sysid}/${message.compid}`;
    if (!this.#isContact(message)) {
      this.ownClaims++;
      return;
    }
    const sensorId = this.#sensor(component, 'remote_id', atMs, message.signed);
    if (!sensorId) return;
    this.#rim.sensors.alive(sensorId, atMs);
    const tag = tagIdentity(message.tag, 'mavlink');
    const isProven = this.#rim.sensors.isProven(sensorId);
    const sender = this.#remoteId.of(remoteIdKey(message), isProven, () => new RemoteIdSender(tag, 'mavlink'));
    this.#takeFromSender(sender, message.messages, sensorId, atMs);
  }

  /** Too many came: some of them are looked at, since a flood under the name of an aircraft says something of it. */
  #takeEvidence(message: OdidReport, atMs: number): void {
    const sender = this.#remoteId.again(remoteIdKey(message));
    if (!sender || !this.#isContact(message) || !this.#evidence.take(atMs)) return;
    const sensorId = this.#sensor(`${message.sysid}/${message.compid}`, 'remote_id', atMs);
    if (!sensorId) return;
    const observation = sender.evidence(message.messages, sensorId, this.#rim.link.id, atMs);
    if (observation) this.#rim.sink(observation, 'rate');
  }

  #takeBareRemoteId(messages: OdidReport['messages'], from: string, atMs: number): void {
    const sensorId = this.#sensor('', 'remote_id', atMs);
    if (!sensorId) return;
    this.#rim.sensors.alive(sensorId, atMs);
    const isProven = this.#rim.link.provesSender;
    const sender = this.#remoteId.of(from, isProven, () => new RemoteIdSender(null, 'other'));
    this.#takeFromSender(sender, messages, sensorId, atMs);
  }

  #takeFromSender(sender: RemoteIdSender, messages: OdidReport['messages'], sensorId: string, atMs: number): void {
    if (messages.some((m) => 'implausible' in m && m.implausible)) this.implausible++;
    const before = sender.repeats;
    const observation = sender.take(messages, sensorId, this.#rim.link.id, atMs);
    this.repeats += sender.repeats - before;
    this.#noteClock(sensorId, sender.clock);
    if (observation) this.#tellOnce(observation);
  }

  /**
   * Data of other aircraft comes from receiver components, or carries the address it was heard from. The same messages
   * from an autopilot, and untagged ones from a ground station or from a transceiver aboard a vehicle, are that system's
   * own identity (devguide, opendroneid).
   */
  #isContact(message: OdidReport): boolean {
    const component = `${message.sysid}/${message.compid}`;
    const inRange = message.compid >= ODID_COMPONENTS.first && message.compid <= ODID_COMPONENTS.last;
    if (message.compid === MAV_COMP_ID_AUTOPILOT1) return false;
    if (message.tag !== null) return true;
    if (!inRange && !this.#receivers.has(component)) return false;
    return !this.#autopilots.has(String(message.sysid));
  }

  #takeTelemetry(message: MavlinkGlobalPosition, from: string, atMs: number): void {
    const { name, identity, pace } = this.#system(message);
    if (!pace.isDue(message, from, atMs)) return;
    const { signed } = message;
    this.#takeLine(name, 'telemetry', atMs, signed, (sensorId) => {
      const observation = telemetryObservation(message, identity, sensorId, this.#rim.link.id, atMs);
      if (!observation) return null;
      observation.authentic = this.#rim.link.provesSender || message.signed;
      // Names bind to an asset: only who is proven to speak may claim them beside his address.
      if (!observation.authentic) return observation;
      observation.identities.push(...(this.#rim.namesOf?.(from, message.sysid) ?? []));
      observation.landed = this.#rim.landedAt?.(from, message.sysid) ?? null;
      return observation;
    });
  }

  /** What is not believed is kept as a detection that moved no track; without a place there is nothing to keep. */
  #refuseTelemetry(message: MavlinkGlobalPosition, refusal: TelemetryRefusal, atMs: number): void {
    const { name, identity } = this.#system(message);
    const sensorId = this.#sensor(name, 'telemetry', atMs);
    if (!sensorId) return;
    if (refusal !== 'id_conflict') this.#rim.sensors.alive(sensorId, atMs);
    if (refusal === 'no_fix' || refusal === 'late') return;
    const observation = telemetryObservation(message, identity, sensorId, this.#rim.link.id, atMs);
    if (!observation) return;
    const rejectedBy = refusal === 'jump' ? 'implausible' : refusal;
    this.#rim.sensors.rejected(sensorId, rejectedBy);
    this.#rim.sink(observation, rejectedBy);
  }

  #system({ sysid, compid }: { sysid: number; compid: number }): System {
    const key = sysid * 256 + compid;
    const known = this.#systems.get(key);
    if (known) return known;
    const value = `mavlink:${this.#rim.link.id}:${sysid}:${compid}`;
    const identity: Identity = { type: 'mavlink', value, transport: 'mavlink' };
    const system: System = { name: `${sysid}/${compid}`, identity, pace: new PositionPace() };
    if (this.#systems.size >= MOST_SYSTEMS) this.#systems.clear();
    this.#systems.set(key, system);
    return system;
  }

  #takeLine(
    receiver: string,
    modality: Modality,
    atMs: number,
    isSigned: boolean,
    make: (sensorId: string) => Observation | null,
  ): void {
    const sensorId = this.#sensor(receiver, modality, atMs, isSigned);
    if (!sensorId) return;
    this.#rim.sensors.alive(sensorId, atMs);
    const observation = make(sensorId);
    if (observation) this.#tell(observation);
  }

  #takeFix(fix: NmeaFix, atMs: number): void {
    const sensorId = this.#sensor(OWN_POSITION, 'telemetry', atMs);
    if (!sensorId) return;
    this.#rim.sensors.alive(sensorId, atMs);
    if (fix.latDeg === null || fix.lonDeg === null) return;
    const { altMslM, geoidSeparationM } = fix;
    const known = altMslM !== null && geoidSeparationM !== null;
    if (known) this.#ownHeight = { altHaeM: altMslM + geoidSeparationM, atMs };
    const { altHaeM, atMs: heardMs } = this.#ownHeight;
    this.#rim.sensors.moved(sensorId, {
      lat: fix.latDeg,
      lon: fix.lonDeg,
      ...(atMs - heardMs <= OWN_HEIGHT_JOIN_MS ? { alt_hae_m: altHaeM } : {}),
      mount: 'mobile',
    });
  }

  #takeRow({ row }: ObservationRow, atMs: number): void {
    const outcome = this.#rim.rows.take(row, this.#rim.link.id, atMs);
    if (typeof outcome === 'object') this.implausible++;
  }

  #sensor(receiver: string, modality: Modality, atMs: number, isSigned = false): string | null {
    return this.#rim.sensors.heardOn(this.#rim.link.id, receiver, modality, atMs, { from: this.#from, isSigned });
  }

  #noteClock(sensorId: string, clock: ClockOffset): void {
    if (clock.offsetMs === null) return;
    this.#clockOffsetMs = clock.offsetMs;
    this.#rim.sensors.clockOffset(sensorId, clock.offsetMs);
  }

  /** A broadcast counts once, however many receivers and radios bring it in. */
  #tellOnce(observation: Observation): void {
    if (this.#rim.bursts.isRepeat(observation)) {
      observation.use = 'repeat';
      this.repeats++;
    }
    this.#tell(observation);
  }

  #tell(observation: Observation): void {
    tell(observation, this.#rim);
  }

  /** Messages of proven receivers have a rate of their own: a crowd that is unknown, or known by now, takes none of it. */
  #admit(message: WireMessage, from: string, atMs: number, isForged: boolean): boolean {
    const receiver = this.#rim.link.provesSender ? null : this.#receiverOf(message);
    const isProven = receiver !== null && this.#rim.sensors.placesOf(this.#rim.link.id)?.isFromProven(receiver, from);
    return (isProven ? this.#provenLimits : this.#limits).admit(this.#rateName(message, from, isForged), atMs);
  }

  /** What a message calls the receiver that it comes from; null where it has no name. */
  #receiverOf(message: WireMessage): string | null {
    switch (message.kind) {
      case 'odid':
      case 'heartbeat':
      case 'global_position':
        return this.#system(message).name;
      case 'odid_json':
        return message.receiver;
      default:
        return null;
    }
  }

  /** The rate of a sender that may be forged is kept by its address too: a forger uses up no rate but its own. */
  #rateName(message: WireMessage, from: string, isForged: boolean): string {
    const sender = this.#senderOf(message, from);
    return this.#rim.link.provesSender && !isForged ? sender : `${from} ${sender}`;
  }

  /** Whose rate a message counts against: the aircraft it is about, else the component that sent it. */
  #senderOf(message: WireMessage, from: string): string {
    switch (message.kind) {
      case 'odid':
        return remoteIdKey(message);
      case 'odid_json':
        return message.mac;
      case 'sbs':
        return message.icao24;
      case 'observation':
        return `${message.row.sensor_id}:${message.row.identity?.[0]?.value ?? ''}`;
      case 'odid_raw':
      case 'nmea_fix':
        return from;
      default:
        return this.#system(message).name;
    }
  }
}

/** A transmitter as one receiver hears it. */
function remoteIdKey({ sysid, compid, tag }: OdidReport): string {
  return `${sysid}/${compid} ${tagIdentity(tag, 'mavlink')?.value ?? ''}`;
}
