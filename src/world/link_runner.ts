import type { Bursts } from '../edge/feed/bursts.ts';
import { LinkFeed } from '../edge/feed/link_feed.ts';
import type { SensorLink } from '../edge/feed/link_places.ts';
import { codecOf, ownRowOf, type WireMessage } from '../edge/feed/protocols.ts';
import type { FeedSink } from '../edge/feed/report.ts';
import type { RowFeed } from '../edge/feed/row_feed.ts';
import type { SensorStatuses } from '../edge/feed/sensor_statuses.ts';
import type { FeedSettings } from '../edge/feed/settings.ts';
import type { Claims } from '../edge/link/claims.ts';
import { type Deps, realTimers, type Timers } from '../edge/link/deps.ts';
import type { Chunk, Link, LinkEvents, LinkStatus } from '../edge/link/link.ts';
import { loginOf } from '../edge/link/mqtt/session.ts';
import type { CredentialHolder } from '../edge/link/tls/holder.ts';
import type { Codec } from '../edge/wire/codec.ts';
import { MavlinkEncoder } from '../edge/wire/mavlink/encode.ts';
import type { Payload } from '../edge/wire/mavlink/write.ts';
import type { MavlinkGlobalPosition, MavlinkMessage } from '../edge/wire/message.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { TimeSink } from '../host/gps/gps_time.ts';
import { idOfName } from '../host/name_id.ts';
import { tlsInForce } from '../model/credentials.ts';
import type { Severity } from '../model/event.ts';
import { conflict, sentenceOf } from '../model/fault.ts';
import { type Health, noHealth } from '../model/health.ts';
import { type Link as LinkDocument, type LinkSpec, provesSender, type Rejects } from '../model/link.ts';
import { formatTime } from '../model/time.ts';
import { QueuedReplies } from './link_replies.ts';
import { ReceiverDialogue } from './receiver_dialogue.ts';
import type { RecorderHook } from './recorder_hook.ts';
import type { KeyMap } from './signing/key_map.ts';
import type { LinkSigning } from './signing/link_signing.ts';
import { timeReportsOf } from './time_reports.ts';

export type LinkDeps = {
  nowMs(): number;
  utcMs(worldMs: number): number;
  claims: Claims;
  settings: FeedSettings;
  sensors: SensorStatuses;
  rows: RowFeed;
  bursts: Bursts;
  sink: FeedSink;
  /** Receives an alert that a sensor raised. */
  alerted?(sensorId: string, severity: Severity, text: string): void;
  /** Id of this node at other systems, a UUID v4; absent in a world that exchanges no data with other nodes. */
  nodeId?: string | undefined;
  /** Returns the health of this node for other nodes that ask; without it they receive `noHealth`. */
  health?(): Health;
  /** Receives the time that satellite receivers report; absent if the world must not take its time from links. */
  timeReported?: TimeSink | undefined;
  /** Our own MAVLink system id. */
  sysid: number;
  /** Receives every MAVLink message, before the feed does. */
  vehicles: Pick<Fleet, 'identitiesOf' | 'take' | 'refusalOf' | 'landedAt' | 'closed'>;
  signing: KeyMap;
  credentials(linkId: string): CredentialHolder;
  /** Receives each chunk before decoding. From a codec with `restated`, it receives the restated bytes instead. */
  recorderHook: RecorderHook;
  /** Timers for dialogues with receivers; timers of the process if absent. */
  timers?: Timers;
  /** Creates the link: with a transport of the operating system in the live world, in memory in a driven world. */
  open(spec: LinkSpec, events: LinkEvents, deps: Deps): Link;
  /** True if each link gets a sensor row of its own. False in a driven world, whose driver declares the sensors. */
  hasOwnRows: boolean;
  /** Called after a change of the link's state, error or next retry. */
  changed(runner: LinkRunner): void;
};

/** Our own MAVLink component id on every link: a ground station (MAV_COMP_ID_MISSIONPLANNER). */
export const OWN_COMPID = 190;

/** Declaration of a link. It comes from the configuration file, or from a row that an operator created at run time. */
export type DeclaredLink = {
  id: string;
  spec: LinkSpec;
  issuedFor: string | null;
  ofFile: boolean;
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** Declares a link of the configuration file. Its id follows from its name, so the id survives restarts. */
export function linkOfFile(spec: LinkSpec, startedAt: string): DeclaredLink {
  const id = idOfName('link', spec.name);
  return { id, spec, issuedFor: null, ofFile: true, version: 1, createdAt: startedAt, updatedAt: startedAt };
}

/** Returns the properties of a link on which its sensors depend. */
function sensorLink({ id, spec, issuedFor }: DeclaredLink, hasOwnRow: boolean): SensorLink {
  return {
    id,
    name: spec.name,
    silenceS: spec.silence_s,
    own: hasOwnRow ? ownRowOf(spec, issuedFor !== null) : null,
    isTrusted: provesSender(spec) || ['tcp_client', 'unix', 'file'].includes(spec.transport),
    isSerial: spec.transport === 'serial',
  };
}

/** Runs one link with its decoder and feed: bytes go in, observations come out. */
export class LinkRunner {
  readonly declared: DeclaredLink;
  readonly #deps: LinkDeps;
  readonly #link: Link;
  readonly #codec: Codec<WireMessage>;
  readonly #feed: LinkFeed;
  readonly #encoder: MavlinkEncoder;
  readonly #signing: LinkSigning;
  readonly #dialogue: ReceiverDialogue | null;
  readonly credentials: CredentialHolder;
  #txMsgs = 0;
  #isEnding = false;
  /** Reason why the link was refused at its start, such as another link of this node on its port; else null. */
  #refused: { sentence: string; atMs: number } | null = null;

  /** Throws a Fault if the address cannot be understood. */
  constructor(declared: DeclaredLink, deps: LinkDeps) {
    const { spec } = declared;
    this.declared = declared;
    this.#deps = deps;
    const signing = deps.signing.of(declared.id);
    this.#signing = signing;
    this.credentials = deps.credentials(declared.id);
    this.#codec = codecOf(spec, { required: spec.signing === 'required', gate: () => signing.gate });
    this.#encoder = new MavlinkEncoder({ sysid: deps.sysid, compid: OWN_COMPID, signing: () => signing.signer });
    const { name, protocol, options, max_msgs_per_s: maxMsgsPerS } = spec;
    const link = { id: declared.id, name, protocol, maxMsgsPerS, options, provesSender: provesSender(spec) };
    const { vehicles } = deps;
    const namesOf = (from: string, sysid: number) => vehicles.identitiesOf(declared.id, from, sysid);
    const refusalOf = (from: string, message: MavlinkGlobalPosition) => vehicles.refusalOf(declared.id, from, message);
    const landedAt = (from: string, sysid: number) => vehicles.landedAt(declared.id, from, sysid);
    const timeReported = timeReportsOf(spec, deps.timeReported);
    this.#feed = new LinkFeed(
      { ...deps, link, namesOf, refusalOf, landedAt, timeReported, replies: this.#repliesOf() },
      deps.nowMs(),
    );
    deps.sensors.beginLink(sensorLink(declared, deps.hasOwnRows));
    if (!spec.enabled) this.#sensorsOff();
    this.#link = deps.open(
      spec,
      {
        chunk: (chunk) => this.#take(chunk),
        gone: (from) => {
          deps.recorderHook.recorder?.gone(declared.id, from);
          this.#codec.forget(from);
          this.#feed.forget(from);
          vehicles.closed(declared.id, from);
        },
        status: (status) => this.#statusChanged(status),
        mayBeQuiet: () => deps.sensors.mayBeQuiet(declared.id),
      },
      { ...deps, tls: () => this.credentials.read(), login: () => loginOf(this.credentials.read()) },
    );
    this.#dialogue = this.#dialogueOf(spec);
  }

  /** Creates the queue for answers of the feed; undefined if this node has no id. */
  #repliesOf(): QueuedReplies | undefined {
    const { nodeId, utcMs, nowMs, health = () => noHealth } = this.#deps;
    if (nodeId === undefined) return undefined;
    return new QueuedReplies({
      nodeId,
      health,
      utcNowMs: () => utcMs(nowMs()),
      link: () => this.#link,
      sent: (messages) => {
        this.#txMsgs += messages;
      },
    });
  }

  /**
   * Creates the dialogue with the receiver; null for a codec without one, a file, or a link in memory (no receiver).
   */
  #dialogueOf({ transport }: LinkSpec): ReceiverDialogue | null {
    const { dialogue } = this.#codec;
    if (dialogue === undefined || transport === 'file' || this.#link.fail === undefined) return null;
    const { nowMs, timers = realTimers } = this.#deps;
    return new ReceiverDialogue({ dialogue, link: this.#link, nowMs, timers });
  }

  get id(): string {
    return this.declared.id;
  }

  get spec(): LinkSpec {
    return this.declared.spec;
  }

  /** Starts to open the link. It never throws: the status of the link shows faults. */
  start(): void {
    this.#refused = null;
    try {
      this.#link.start();
    } catch (thrown) {
      this.#refused = { sentence: sentenceOf(thrown), atMs: this.#deps.nowMs() };
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

  /** Stops the link at the end of the daemon. Unlike with `stop`, its sensors keep their states. */
  end(): Promise<void> {
    this.#isEnding = true;
    return this.stop();
  }

  status(): LinkStatus {
    const link = this.#link.status();
    const status = { ...link, kernelDrops: link.kernelDrops + (this.#codec.radio?.drops ?? 0) };
    if (!this.#refused) return status;
    const { sentence, atMs } = this.#refused;
    return { ...status, state: 'failed', lastError: sentence, sinceMs: atMs };
  }

  get repeats(): number {
    return this.#feed.repeats;
  }

  /** Number of messages whose source got no sensor, because the link already had its maximum number of sources. */
  get sourcesUnplaced(): number {
    return this.#deps.sensors.placesOf(this.id)?.full ?? 0;
  }

  /** Number of messages that named a proven receiver but came from a host other than that receiver's. */
  get receiverConflicts(): number {
    return this.#deps.sensors.placesOf(this.id)?.contested ?? 0;
  }

  get lastConflict(): { receiver: string; host: string } | null {
    return this.#deps.sensors.placesOf(this.id)?.lastContest ?? null;
  }

  get ownClaims(): number {
    return this.#feed.ownClaims;
  }

  #take(chunk: Chunk): void {
    const { bytes, from, atMs } = chunk;
    const { recorder } = this.#deps.recorderHook;
    const restated = recorder === null ? undefined : this.#codec.restated;
    restated?.begin();
    if (restated === undefined) recorder?.chunk(this.id, chunk);
    const { messages, rejects, radio } = this.#codec;
    const refused = rejects.not_allowed;
    const signs = this.#signsOfLife;
    this.#codec.decode(bytes, from, atMs, (message) => {
      // The fleet takes the message first, since the feed asks the fleet which positions are believed.
      if (isMavlink(message)) this.#deps.vehicles.take(this.id, message, from, atMs);
      this.#feed.take(message, from, atMs);
    });
    const again = restated?.end();
    if (again !== undefined && again.length > 0) recorder?.chunk(this.id, { bytes: again, from, atMs });
    if (this.#codec.messages > messages || this.#signsOfLife !== signs) this.#deps.sensors.linkAlive(this.id, atMs);
    // A valid message that was refused, for example for a missing signature, is no noise.
    else if (rejects.not_allowed === refused) this.#deps.sensors.linkNoise(this.id, atMs);
    if (radio !== undefined) this.#deps.sensors.linkRadio(this.id, radio.warning(atMs));
    this.#dialogue?.step();
  }

  get #signsOfLife(): number {
    return this.#codec.radio?.signsOfLife ?? this.#codec.signsOfLife ?? 0;
  }

  /**
   * Sends a message to one sender of this link. Rejects with a Fault if the link lacks its required key or is not open,
   * or if the write fails; nothing is queued.
   */
  async transmit(payload: Payload, to: string): Promise<void> {
    if (this.isKeyMissing)
      throw conflict(this.#keyTrouble ?? 'the link requires signatures but has no signing key: set a key on the link');
    const frame = this.#encoder.encode(payload);
    this.#deps.signing.beforeSending(this.#signing);
    await this.#link.write(frame, to === '' ? undefined : to);
    this.#txMsgs++;
  }

  /** True if signing is required and the link has no key. */
  get isKeyMissing(): boolean {
    return this.spec.signing === 'required' && this.#signing.gate === null;
  }

  get #keyTrouble(): string | null {
    if (this.#signing.trouble !== null) return this.#signing.trouble;
    return this.isKeyMissing
      ? 'signing is required, but the link has no key: no message is accepted or sent until a key is set'
      : null;
  }

  get #credentialTrouble(): string | null {
    return this.spec.transport === 'tls_client' ? this.credentials.trouble() : null;
  }

  /** Publishes the status again. Call this after the signing key was set or removed. */
  keyChanged(): void {
    this.#deps.changed(this);
  }

  /** Warning about the radio or the messages of an open link; null without one. */
  #warning({ state }: LinkStatus): string | null {
    if (state !== 'open') return null;
    const nowMs = this.#deps.nowMs();
    return this.#codec.radio?.warning(nowMs) ?? this.#feed.trouble(nowMs);
  }

  #statusChanged(status: LinkStatus): void {
    this.#dialogue?.setOpen(status.state === 'open');
    const { name } = this.spec;
    // At the end of a file the state is `disabled` with an error: the link's sensors become silent by their own
    // deadlines.
    const stopped = status.state === 'disabled' && status.lastError === null;
    const { sensors } = this.#deps;
    // The end of the daemon sets no sensor to off: a sensor that is silent now must be silent after the next start.
    if (this.#isEnding) return;
    if (stopped) this.#sensorsOff();
    // A link that is reopened because of silence keeps its sensors' states: each sensor has a deadline of its own.
    else if (status.isSilent || ['open', 'opening', 'disabled'].includes(status.state)) sensors.linkUp(this.id, status);
    else sensors.linkDown(this.id, 'fault', `its link ${name} is down: ${status.lastError ?? status.state}`);
    this.#deps.changed(this);
  }

  #sensorsOff(): void {
    this.#deps.sensors.linkDown(this.id, 'off', `its link ${this.spec.name} is disabled`);
  }

  rejects(): Rejects {
    const { rejects } = this.#codec;
    return {
      ...rejects,
      implausible: rejects.implausible + this.#feed.implausible,
      rate: rejects.rate + this.#feed.rateRejects,
      not_allowed: rejects.not_allowed + this.#feed.notAllowed + this.#link.status().notAllowed,
    };
  }

  document(): LinkDocument {
    const { spec, declared } = this;
    const status = this.status();
    const time = (worldMs: number | null): string | null =>
      worldMs === null ? null : formatTime(this.#deps.utcMs(worldMs));
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
      phy: spec.protocol === 'sniffle' ? (spec.phy ?? 'coded') : null,
      options: spec.options,
      discover: spec.discover,
      command: spec.command,
      sources_allow: spec.sources_allow,
      max_msgs_per_s: spec.max_msgs_per_s,
      signing: spec.signing,
      signing_key: this.#signing.gate !== null,
      tls: tlsInForce(spec),
      credentials: this.credentials.view(),
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
      receiver_conflicts: this.receiverConflicts,
      clock_offset_ms: offsetMs === null ? null : Math.round(offsetMs),
      retries: status.retries,
      next_retry_at: time(status.nextRetryMs),
      last_error:
        status.lastError ?? this.#keyTrouble ?? this.#credentialTrouble ?? this.#warning(status) ?? status.warning,
      version: declared.version,
      created_at: declared.createdAt,
      updated_at: declared.updatedAt,
    };
  }
}

function isMavlink(message: WireMessage): message is MavlinkMessage {
  return 'sysid' in message;
}
