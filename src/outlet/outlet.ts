import { isDeepStrictEqual } from 'node:util';
import { createSender } from '../edge/link/create_sender.ts';
import type { Deps as LinkDeps } from '../edge/link/deps.ts';
import type { Chunk, Link, LinkStatus } from '../edge/link/link.ts';
import { loginOf } from '../edge/link/mqtt/session.ts';
import type { Credentials } from '../edge/link/tls/credentials.ts';
import type { CredentialHolder } from '../edge/link/tls/holder.ts';
import type { Alert } from '../model/alert.ts';
import { Fault, sentenceOf } from '../model/fault.ts';
import type { OutletDropReason, OutletSpec } from '../model/outlet.ts';
import type { OutletMessage } from '../model/outlet_view.ts';
import { threatLevels } from '../model/posture.ts';
import type { PreparedArea } from './area.ts';
import { ConditionLog, type NoteOutlet } from './condition_log.ts';
import type { DeclaredOutlet } from './declared.ts';
import { sendFarewell } from './farewell.ts';
import { type EncoderDeps, encoderOf, type OutletEncoder, type OutletLogin } from './kinds.ts';
import { parts } from './parts.ts';
import { type KnownAlerts, Peer } from './peer.ts';
import { PeerStatements } from './peer_statements.ts';
import { Selection } from './selection.ts';
import { sendTest } from './test_item.ts';
import { MOST_A_TICK, MomentTime } from './ticks.ts';
import { TrackMessages } from './track_messages.ts';

/** Limit of the messages that are written at once; over UDP each is a datagram. */
const MOST_AT_ONCE = 32;
/** Time after which a peer that accepts no bytes is disconnected, ms. */
const BLOCKED_MS = 10_000;
/** Silence after which a peer that answers queries counts as gone, s (ATAK, streamingsocketmanagement). */
const SILENCE_S = 25;
/** Interval at which an unknown position of the box is looked up again, ms. */
const PLACE_AGAIN_MS = 5_000;
/** Key of the only peer of a transport that has one peer. */
const ONLY = '';

export type OutletDeps = EncoderDeps & {
  link: LinkDeps;
  credentials(outletId: string): CredentialHolder;
  utcMs(nowMs: number): number;
  note: NoteOutlet;
  /** Called when the state, the peers or the last error changed. */
  changed(outlet: OutletRunner): void;
};

export type OutletCounts = { msgs: number; bytes: number; dropped: Record<OutletDropReason, number> };

/** One running outlet. Never waits for a peer; for each it queues one item per track and at most 100 alerts. */
export class OutletRunner {
  readonly #deps: OutletDeps;
  readonly #link: Link;
  readonly credentials: CredentialHolder;
  readonly #peers = new Map<string, Peer>();
  readonly #timers = new Map<Peer, NodeJS.Timeout>();
  readonly #messages: TrackMessages;
  readonly #log: ConditionLog;
  readonly counts: OutletCounts = { msgs: 0, bytes: 0, dropped: { rate: 0, blocked: 0, no_position: 0 } };
  #declared: DeclaredOutlet;
  #encoder: OutletEncoder;
  readonly #selection: Selection;
  readonly statements = new PeerStatements();
  /** Alerts that the only peer knew when its connection ended, if it follows alerts. */
  #known: KnownAlerts = new Map();
  /** Name and password of the open connection; null without them. */
  #login: OutletLogin | null = null;
  readonly #time = new MomentTime();
  /** Reason why the outlet cannot try to open, such as a port that another part of this box uses; null if it can. */
  #failure: { sentence: string; atMs: number } | null = null;

  /** Throws a Fault if the address cannot be parsed. */
  constructor(declared: DeclaredOutlet, deps: OutletDeps) {
    this.#declared = declared;
    this.#deps = deps;
    this.#log = new ConditionLog(deps.note);
    const { spec } = declared;
    this.#encoder = encoderOf(deps, spec);
    this.#selection = new Selection(spec, deps.picture);
    this.#messages = new TrackMessages({
      ...{ picture: deps.picture, selection: this.#selection, encoder: () => this.#encoder },
      utcMs: (nowMs) => this.#utcMs(nowMs),
      noPosition: () => void this.counts.dropped.no_position++,
    });
    this.credentials = deps.credentials(declared.id);
    const { name, address, enabled, transport, interface: only, tls } = spec;
    this.#link = createSender(
      {
        ...{ name, address, enabled, transport, interface: only, tls, sources_allow: [], silence_s: SILENCE_S },
        ...(this.#encoder.broker && { broker: this.#encoder.broker }),
        ...(this.#encoder.greet && { greet: this.#encoder.greet }),
      },
      {
        chunk: (chunk) => this.#received(chunk),
        came: (from) => this.#came(from),
        gone: (from) => this.#gone(from),
        status: (status) => this.#statusChanged(status),
        // If the outlet has several clients, some may only listen, so their silence is no fault.
        mayBeQuiet: () => this.#hasClients || (this.#peers.get(ONLY)?.session?.mayBeQuiet ?? true),
      },
      {
        ...deps.link,
        writeLimitMs: BLOCKED_MS,
        tls: () => this.#material(),
        login: () => loginOf(this.credentials.read()),
      },
    );
  }

  get declared(): DeclaredOutlet {
    return this.#declared;
  }

  get id(): string {
    return this.#declared.id;
  }

  get spec(): OutletSpec {
    return this.#declared.spec;
  }

  get area(): PreparedArea {
    return this.#selection.area;
  }

  get peers(): readonly string[] {
    return [...this.#peers.keys()];
  }

  /** Number of tracks that the peer has; the greatest number if there are several peers. */
  get tracks(): number {
    return Math.max(0, ...Array.from(this.#peers.values(), ({ size }) => size));
  }

  status(): LinkStatus {
    const status = this.#link.status();
    if (this.#failure === null) return status;
    const { sentence, atMs } = this.#failure;
    return { ...status, state: 'failed', lastError: sentence, sinceMs: atMs };
  }

  /** Returns the peer's refusal or fault of the last minute, else a possible cause in this box; null without either. */
  trouble(): string | null {
    return this.statements.shown(this.#nowMs()) ?? this.#encoder.trouble?.() ?? null;
  }

  start(): void {
    this.#failure = null;
    try {
      this.#link.start();
    } catch (thrown) {
      this.#failure = { sentence: sentenceOf(thrown), atMs: this.#nowMs() };
      this.#statusChanged(this.status());
    }
  }

  async stop(): Promise<void> {
    this.#failure = null;
    this.#log.stopped();
    await this.#link.stop();
    for (const from of this.peers) this.#gone(from);
  }

  /** Stops an outlet that is removed or redirected. First withdraws the objects that the receiver would keep. */
  async retire(): Promise<void> {
    const messages = this.#encoder.farewell?.() ?? [];
    const isOpen = this.status().state === 'open';
    for (const from of this.peers) this.#gone(from);
    const areSent = isOpen && (await sendFarewell(messages, (part) => this.#send(part, undefined)));
    if (!areSent && messages.length > 0) this.#log.kept(messages.length, { id: this.id, name: this.spec.name });
    await this.stop();
  }

  /** Applies a declaration with the same receiver. Tracks that no longer pass the filter are ended at the peers. */
  apply(declared: DeclaredOutlet): void {
    // The encoder is kept if possible, because it knows the track numbers that the peers know.
    const isSame = isDeepStrictEqual(this.spec.options, declared.spec.options);
    if (!isSame) this.#encoder = encoderOf(this.#deps, declared.spec);
    this.#declared = declared;
    for (const peer of this.#peers.values()) peer.sweep(this.#nowMs(), true);
    this.areaChanged();
  }

  /** Prepares the area anew, and checks all tracks and waiting alerts against it. */
  areaChanged(): void {
    this.#selection.apply(this.spec);
    for (const peer of this.#peers.values()) peer.renewAlerts();
    this.mark(new Map(this.#deps.picture.tracks().map(({ id }) => [id, true])));
  }

  /** Marks changed tracks to be sent; the value is true for news and false for details. */
  mark(changed: ReadonlyMap<string, boolean>): void {
    const nowMs = this.#nowMs();
    for (const [id, isNews] of changed) {
      this.#messages.forget(id);
      for (const peer of this.#peers.values()) peer.mark(id, isNews, nowMs);
    }
    this.#pumpAll();
  }

  end(trackId: string): void {
    this.#messages.forget(trackId);
    for (const peer of this.#peers.values()) peer.end(trackId);
    this.#pumpAll();
  }

  alert(alert: Alert): void {
    const view = this.#selection.alert(alert);
    if (view === null) return;
    for (const peer of this.#peers.values()) peer.alert(view);
    this.#pumpAll();
  }

  everySecond(): void {
    this.#messages.clear();
    const nowMs = this.#nowMs();
    for (const peer of this.#peers.values()) peer.sweep(nowMs, false);
    this.#pumpAll();
  }

  /** Sends one test item to each idle peer. Returns the number of receivers; throws a `conflict` Fault without one. */
  test(): Promise<number> {
    const messages = this.#encoder.test(this.#deps.picture.place(), this.#utcMs(this.#nowMs()));
    const writes = [...this.#peers].map(
      ([to, peer]) =>
        () =>
          this.#writeNow(to, peer, messages),
    );
    return sendTest(this.spec.name, messages.length > 0, this.status(), writes);
  }

  async #writeNow(to: string, peer: Peer, messages: readonly OutletMessage[]): Promise<void> {
    if (peer.isBusy)
      throw new Fault('conflict', `the outlet ${this.spec.name} is still sending earlier data to its peer: try again`);
    peer.isBusy = true;
    try {
      await this.#write(to, messages);
    } finally {
      peer.isBusy = false;
      this.#pump(to, peer);
    }
  }

  /** Returns the credentials for a connection that is being opened. */
  #material(): Credentials | null {
    const read = this.credentials.read();
    const { username = null, password = null } = read ?? {};
    this.#login = username === null || password === null ? null : { username, password };
    return read;
  }

  #open(from: string): void {
    const { picture } = this.#deps;
    const ids = picture.tracks().map(({ id }) => id);
    const peer = new Peer(
      ids,
      {
        encoder: () => this.#encoder,
        login: () => this.#login,
        track: (id, nowMs) => this.#messages.of(id, nowMs),
        end: (track, uids, atMs) => this.#encoder.end(this.#selection.view(track), uids, atMs),
        rankOf: (id) => threatLevels.indexOf(picture.threat(id)?.level ?? 'none'),
        alert: (id) => this.#selection.alertOf(id),
        activeAlerts: () => this.#selection.activeAlerts(this.#encoder.followsAlerts === true),
        dropped: (reason, count) => {
          this.counts.dropped[reason] += count;
        },
        pace: () => this.spec.pace,
        utcMs: (nowMs) => this.#utcMs(nowMs),
      },
      this.#nowMs(),
      this.#known,
    );
    this.#peers.set(from, peer);
    this.#pump(from, peer);
  }

  #came(from: string): void {
    this.#open(from);
    this.#deps.changed(this);
  }

  #gone(from: string): void {
    const peer = this.#peers.get(this.#hasClients ? from : ONLY);
    if (peer === undefined) return;
    this.#peers.delete(this.#hasClients ? from : ONLY);
    clearTimeout(this.#timers.get(peer));
    this.#timers.delete(peer);
    if (!this.#hasClients && this.#encoder.followsAlerts === true) this.#known = peer.knownAlerts;
    this.#log.lost(peer.alertsWaiting);
    this.counts.dropped.blocked += peer.alertsWaiting;
    if (this.#hasClients) this.#deps.changed(this);
  }

  get #hasClients(): boolean {
    return this.spec.transport === 'tcp_server';
  }

  #received({ bytes, from, atMs }: Chunk): void {
    const to = this.#hasClients ? from : ONLY;
    const peer = this.#peers.get(to);
    if (peer === undefined) return;
    peer.session?.received(bytes, atMs);
    const statements = peer.session?.statements?.() ?? [];
    this.#log.answered(this.statements.take(statements, atMs), { id: this.id, name: this.spec.name });
    if (statements.length > 0) this.#deps.changed(this);
    this.#pump(to, peer);
  }

  #statusChanged(status: LinkStatus): void {
    if (!this.#hasClients) {
      if (status.state === 'open' && !this.#peers.has(ONLY)) this.#open(ONLY);
      else if (status.state !== 'open') this.#gone(ONLY);
    }
    if (status.isRefused && status.state === 'backoff') this.statements.refused(status.lastError ?? 'no reason given');
    this.#log.take(status, { id: this.id, name: this.spec.name });
    this.#deps.changed(this);
  }

  #pumpAll(): void {
    for (const [to, peer] of this.#peers) this.#pump(to, peer);
  }

  /** Writes the items that are due for a peer, at a tick if it has ticks. Does nothing while a write is in progress. */
  #pump(to: string, peer: Peer): void {
    if (peer.isBusy || this.#peers.get(to) !== peer) return;
    clearTimeout(this.#timers.get(peer));
    const nowMs = this.#nowMs();
    const utcMs = this.#utcMs(nowMs);
    const fault = peer.fault(utcMs);
    const tickMs = peer.ticks?.waitMs(nowMs, utcMs) ?? 0;
    if (fault !== null) this.#link.fail?.(fault);
    else if (tickMs > 0) this.#pumpIn(to, peer, tickMs);
    else this.#writeDue(to, peer, nowMs, utcMs);
  }

  #writeDue(to: string, peer: Peer, nowMs: number, utcMs: number): void {
    const most = peer.ticks === null ? MOST_AT_ONCE : MOST_A_TICK;
    const messages = [...this.#upkeep(peer, nowMs), ...peer.take(nowMs, most)];
    const waitMs = messages.length === 0 ? peer.waitMs(nowMs) : null;
    if (waitMs !== null) this.#pumpIn(to, peer, waitMs);
    if (messages.length === 0) return;
    peer.isBusy = true;
    peer.ticks?.take(nowMs, utcMs);
    this.#write(to, messages)
      .catch(() => {
        // The link reports the failure. The messages are lost; a new connection gets tracks and alerts anew.
        this.counts.dropped.blocked += messages.length;
      })
      .finally(() => {
        peer.isBusy = false;
        this.#pump(to, peer);
      });
  }

  #pumpIn(to: string, peer: Peer, waitMs: number): void {
    this.#timers.set(peer, setTimeout(() => this.#pump(to, peer), Math.max(1, Math.ceil(waitMs))).unref());
  }

  /** Returns the messages that maintain a connection: those of its session and, when due, those about the box. */
  #upkeep(peer: Peer, nowMs: number): OutletMessage[] {
    const utcMs = this.#utcMs(nowMs);
    const messages = peer.session?.due(nowMs, utcMs) ?? [];
    const { presence } = this.#encoder;
    if (presence === null || nowMs < peer.presentFromMs) return messages;
    const place = this.#deps.picture.place();
    peer.presentFromMs = nowMs + (place === null ? PLACE_AGAIN_MS : presence.everyMs);
    return place === null ? messages : [...messages, ...presence.messages(place, utcMs)];
  }

  async #write(to: string, items: readonly OutletMessage[]): Promise<void> {
    const messages = this.#encoder.joined?.(items) ?? items;
    const receiver = this.#hasClients ? to : undefined;
    if (this.spec.transport === 'udp') {
      const sent = messages.map(({ bytes, to: other }) => this.#send([bytes], other));
      const failed = (await Promise.allSettled(sent)).find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
      return;
    }
    for (const part of parts(messages)) if (this.#peers.has(to)) await this.#send(part, receiver);
  }

  async #send(part: readonly Uint8Array[], receiver: string | undefined): Promise<void> {
    const [first] = part;
    await this.#link.write(part.length === 1 && first ? first : Buffer.concat(part), receiver);
    this.counts.msgs += part.length;
    for (const bytes of part) this.counts.bytes += bytes.length;
  }

  #utcMs(nowMs: number): number {
    const { believedMs, utcMs } = this.#deps;
    return this.#time.of(nowMs, () => (this.#encoder.isTimed ? believedMs() : utcMs(nowMs)));
  }

  #nowMs(): number {
    return this.#deps.link.nowMs();
  }
}
