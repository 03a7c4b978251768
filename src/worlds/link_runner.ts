import type { Bursts } from '../edge/feed/bursts.ts';
import type { HeardBook } from '../edge/feed/heard.ts';
import { LinkFeed } from '../edge/feed/link_feed.ts';
import type { RowFeed } from '../edge/feed/row_feed.ts';
import type { SensorBook } from '../edge/feed/sensor_book.ts';
import type { FeedSettings } from '../edge/feed/settings.ts';
import type { TelemetryRefusal } from '../edge/feed/telemetry.ts';
import type { FeedSink } from '../edge/feed/tell.ts';
import type { Claims } from '../edge/link/claims.ts';
import type { Chunk, Link, LinkEvents, LinkStatus } from '../edge/link/link.ts';
import type { Rim } from '../edge/link/rim.ts';
import type { Codec } from '../edge/wire/codec.ts';
import { MavlinkEncoder } from '../edge/wire/mavlink/encode.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import type { MavlinkGlobalPosition, MavlinkMessage, WireMessage } from '../edge/wire/message.ts';
import { idOfName } from '../host/name_id.ts';
import { Fault, sentenceOf } from '../model/fault.ts';
import { type Link as LinkDocument, type LinkSpec, provesSender, type Rejects } from '../model/link.ts';
import type { Identity } from '../model/observation.ts';
import { formatTime } from '../model/time.ts';
import { codecOf } from './codecs.ts';
import { sensorLink } from './sensor_link.ts';
import type { SigningBook } from './signing/book.ts';
import type { LinkSigning } from './signing/link_signing.ts';
import type { Taps } from './taps.ts';

export type LinkRim = {
  nowMs(): number;
  utcMs(worldMs: number): number;
  claims: Claims;
  settings: FeedSettings;
  sensors: SensorBook;
  heard: HeardBook;
  rows: RowFeed;
  bursts: Bursts;
  sink: FeedSink;
  /** Our own MAVLink system id. */
  sysid: number;
  /** Told of every MAVLink message, beside the feed. */
  vehicles: VehicleEar;
  signing: SigningBook;
  /** Told of every chunk before it is decoded. */
  taps: Taps;
  /** Makes the link itself; those of live worlds reach out of this process. */
  open(spec: LinkSpec, events: LinkEvents, rim: Rim): Link;
  /** Each link has a sensor row of its own; in a driven world others declare its sensors. */
  hasOwnRows: boolean;
  /** The link's state, error or retry changed. */
  changed(runner: LinkRunner): void;
};

/** What the fleet hears of a link. */
export type VehicleEar = {
  /** What else the vehicle is known by that speaks from an address with a system id. */
  identitiesOf(linkId: string, from: string, sysid: number): readonly Identity[];
  take(linkId: string, message: MavlinkMessage, from: string, atMs: number): void;
  /** Why a position that was just taken is no observation of the vehicle; null where it is one. */
  refusalOf(linkId: string, from: string, message: MavlinkGlobalPosition): TelemetryRefusal | null;
  /** Whether the vehicle at an address says that it stands on the ground; null where it says nothing. */
  landedAt(linkId: string, from: string, sysid: number): boolean | null;
  /** The connection of an address was closed. */
  closed(linkId: string, from: string): void;
};

/** What we are on every link: a ground station (MAV_COMP_ID_MISSIONPLANNER). */
export const OWN_COMPID = 190;

/** A link as somebody declared it: in the configuration file, or at run time as a row. */
export type DeclaredLink = {
  id: string;
  spec: LinkSpec;
  issuedFor: string | null;
  ofFile: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** A link of the configuration is known by its name. */
export function linkOfFile(spec: LinkSpec, startedAt: string): DeclaredLink {
  const id = idOfName('link', spec.name);
  return { id, spec, issuedFor: null, ofFile: true, version: 1, createdAt: startedAt, updatedAt: startedAt };
}

/** One link with its decoder and its feed: bytes in, observations out. */
export class LinkRunner {
  readonly declared: DeclaredLink;
  readonly #rim: LinkRim;
  readonly #link: Link;
  readonly #codec: Codec<WireMessage>;
  readonly #feed: LinkFeed;
  readonly #encoder: MavlinkEncoder;
  readonly #signing: LinkSigning;
  #txMsgs = 0;
  #isEnding = false;
  /** Why it cannot even try: another link of this box has what it needs. */
  #refused: { sentence: string; atMs: number } | null = null;

  /** Throws a Fault where the address cannot be understood. */
  constructor(declared: DeclaredLink, rim: LinkRim) {
    const { spec } = declared;
    this.declared = declared;
    this.#rim = rim;
    const signing = rim.signing.of(declared.id);
    this.#signing = signing;
    this.#codec = codecOf(spec, { required: spec.signing === 'required', gate: () => signing.gate });
    this.#encoder = new MavlinkEncoder({ sysid: rim.sysid, compid: OWN_COMPID, signing: () => signing.signer });
    const link = {
      id: declared.id,
      name: spec.name,
      maxMsgsPerS: spec.max_msgs_per_s,
      provesSender: provesSender(spec),
    };
    const { vehicles } = rim;
    const namesOf = (from: string, sysid: number) => vehicles.identitiesOf(declared.id, from, sysid);
    const refusalOf = (from: string, message: MavlinkGlobalPosition) => vehicles.refusalOf(declared.id, from, message);
    const landedAt = (from: string, sysid: number) => vehicles.landedAt(declared.id, from, sysid);
    this.#feed = new LinkFeed({ ...rim, link, namesOf, refusalOf, landedAt }, rim.nowMs());
    rim.sensors.beginLink(sensorLink(declared, rim.hasOwnRows));
    if (!spec.enabled) this.#sensorsOff();
    this.#link = rim.open(
      spec,
      {
        chunk: (chunk) => this.#take(chunk),
        gone: (from) => {
          rim.taps.tap?.gone(declared.id, from);
          this.#codec.forget(from);
          vehicles.closed(declared.id, from);
        },
        status: (status) => this.#statusChanged(status),
        mayBeQuiet: () => rim.sensors.mayBeQuiet(declared.id),
      },
      rim,
    );
  }

  get id(): string {
    return this.declared.id;
  }

  get spec(): LinkSpec {
    return this.declared.spec;
  }

  /** Begins opening. What stands in the way is in its status, and never thrown. */
  start(): void {
    this.#refused = null;
    try {
      this.#link.start();
    } catch (thrown) {
      this.#refused = { sentence: sentenceOf(thrown), atMs: this.#rim.nowMs() };
      this.#statusChanged(this.status());
    }
  }

  get isRefused(): boolean {
    return this.#refused !== null;
  }

  stop(): Promise<void> {
    this.#refused = null;
    return this.#link.stop();
  }

  /** Stops with the daemon. */
  end(): Promise<void> {
    this.#isEnding = true;
    return this.stop();
  }

  status(): LinkStatus {
    const status = this.#link.status();
    if (!this.#refused) return status;
    const { sentence, atMs } = this.#refused;
    return { ...status, state: 'failed', lastError: sentence, sinceMs: atMs };
  }

  get repeats(): number {
    return this.#feed.repeats;
  }

  /** Messages of sources that found all places for such taken. */
  get sourcesUnplaced(): number {
    return this.#rim.sensors.placesOf(this.id)?.full ?? 0;
  }

  get ownClaims(): number {
    return this.#feed.ownClaims;
  }

  #take(chunk: Chunk): void {
    const { bytes, from, atMs } = chunk;
    this.#rim.taps.tap?.chunk(this.id, chunk);
    const { messages, rejects } = this.#codec;
    const refused = rejects.not_allowed;
    this.#codec.decode(bytes, from, atMs, (message) => {
      // The fleet first: it knows which positions are believed.
      if (isMavlink(message)) this.#rim.vehicles.take(this.id, message, from, atMs);
      this.#feed.take(message, from, atMs);
    });
    if (this.#codec.messages > messages) this.#rim.sensors.linkAlive(this.id, atMs);
    // What is understood and refused, for it is not signed, is no noise.
    else if (rejects.not_allowed === refused) this.#rim.sensors.linkNoise(this.id, atMs);
  }

  /**
   * Sends a message to one sender of this link. Rejects with a Fault where the link is not open or the bytes did not leave;
   * nothing is queued.
   */
  async transmit(payload: Payload, to: string): Promise<void> {
    if (this.isKeyMissing) throw new Fault('conflict', this.#keyTrouble ?? 'the link has no key');
    const frame = this.#encoder.encode(payload);
    this.#rim.signing.beforeSending(this.#signing);
    await this.#link.write(frame, to === '' ? undefined : to);
    this.#txMsgs++;
  }

  /** It is to sign, and cannot. */
  get isKeyMissing(): boolean {
    return this.spec.signing === 'required' && this.#signing.gate === null;
  }

  get #keyTrouble(): string | null {
    if (this.#signing.trouble !== null) return this.#signing.trouble;
    return this.isKeyMissing
      ? 'signing is required here, and the link has no key: nothing is taken and nothing sent until one is set'
      : null;
  }

  /** The key was set or taken away. */
  keyChanged(): void {
    this.#rim.changed(this);
  }

  #statusChanged(status: LinkStatus): void {
    const { name } = this.spec;
    // A file that was read to its end says so, and its sensors fall silent by themselves.
    const stopped = status.state === 'disabled' && status.lastError === null;
    const { sensors } = this.#rim;
    // The end of the daemon turns no sensor off: what is silent then is silent at the next start.
    if (this.#isEnding) return;
    if (stopped) this.#sensorsOff();
    // Opened again for silence alone: each sensor has its own deadline for that.
    else if (status.isSilent || ['open', 'opening', 'disabled'].includes(status.state)) sensors.linkUp(this.id, status);
    else sensors.linkDown(this.id, 'fault', `its link ${name} is down: ${status.lastError ?? status.state}`);
    this.#rim.changed(this);
  }

  #sensorsOff(): void {
    this.#rim.sensors.linkDown(this.id, 'off', `its link ${this.spec.name} is disabled`);
  }

  rejects(): Rejects {
    const { rejects } = this.#codec;
    return {
      ...rejects,
      implausible: rejects.implausible + this.#feed.implausible,
      rate: rejects.rate + this.#feed.rateRejects,
      not_allowed: rejects.not_allowed + this.#link.status().notAllowed,
    };
  }

  document(): LinkDocument {
    const { spec, declared } = this;
    const status = this.status();
    const time = (worldMs: number | null): string | null =>
      worldMs === null ? null : formatTime(this.#rim.utcMs(worldMs));
    const offsetMs = this.#feed.clockOffsetMs;
    return {
      id: this.id,
      name: spec.name,
      issued_for: declared.issuedFor,
      transport: spec.transport,
      address: spec.address,
      bound_to: status.boundTo,
      baud: spec.transport === 'serial' ? spec.baud : null,
      protocol: spec.protocol,
      discover: spec.discover,
      command: spec.command,
      sources_allow: spec.sources_allow,
      max_msgs_per_s: spec.max_msgs_per_s,
      signing: spec.signing,
      signing_key: this.#signing.gate !== null,
      state: status.state,
      since: time(status.sinceMs) ?? declared.createdAt,
      last_rx_at: time(status.lastRxMs),
      last_tx_at: time(status.lastTxMs),
      rx_msgs: this.#codec.messages,
      rx_bytes: status.rxBytes,
      tx_msgs: this.#txMsgs,
      rejects: this.rejects(),
      seq_gaps: this.#codec.sequenceGaps,
      sources_unplaced: this.sourcesUnplaced,
      clock_offset_ms: offsetMs === null ? null : Math.round(offsetMs),
      retries: status.retries,
      next_retry_at: time(status.nextRetryMs),
      last_error: status.lastError ?? this.#keyTrouble ?? status.warning,
      version: declared.version,
      created_at: declared.createdAt,
      updated_at: declared.updatedAt,
    };
  }
}

function isMavlink(message: WireMessage): message is MavlinkMessage {
  return 'sysid' in message;
}
