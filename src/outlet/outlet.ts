import { isDeepStrictEqual } from 'node:util';
import { createSender } from '../edge/link/create_sender.ts';
import type { Deps as LinkDeps } from '../edge/link/deps.ts';
import type { Chunk, Link, LinkStatus } from '../edge/link/link.ts';
import { loginOf } from '../edge/link/mqtt/session.ts';
import type { Credentials } from '../edge/link/tls/credentials.ts';
import type { CredentialHolder } from '../edge/link/tls/holder.ts';
import type { Alert } from '../model/alert.ts';
import { severityRank } from '../model/alert.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import { Fault, sentenceOf } from '../model/fault.ts';
import type { LogVerb } from '../model/log_kind.ts';
import type { OutletDropReason, OutletSpec } from '../model/outlet.ts';
import type { OutletBox, OutletMessage } from '../model/outlet_view.ts';
import { threatLevels } from '../model/posture.ts';
import type { Track } from '../model/track.ts';
import { type PreparedArea, preparedArea } from './area.ts';
import { ConditionLog } from './condition_log.ts';
import type { DeclaredOutlet } from './declared.ts';
import { sendFarewell } from './farewell.ts';
import { verdictOf } from './filter.ts';
import { encoderOf, type OutletEncoder, type OutletLogin } from './kinds.ts';
import { parts } from './parts.ts';
import { Peer } from './peer.ts';
import { alertView, type OutletPicture, viewOf } from './views.ts';

/** Messages taken at once; of UDP each is a datagram. */
const MOST_AT_ONCE = 32;
/** Time after which a peer that takes no byte is cut off, ms. */
const BLOCKED_MS = 10_000;
/** Silence after which a peer that answers questions counts as gone, s (ATAK, streamingsocketmanagement). */
const SILENCE_S = 25;
/** Time for which the messages of one track serve several peers, ms. */
const SHARED_MS = 50;
/** Interval at which a place of the box that is not known is looked up again, ms. */
const PLACE_AGAIN_MS = 5_000;
/** Peer of a transport that has only one. */
const ONLY = '';

export type OutletDeps = {
  picture: OutletPicture;
  box: OutletBox;
  link: LinkDeps;
  credentials(outletId: string): CredentialHolder;
  utcMs(nowMs: number): number;
  note(verb: LogVerb<'outlet'>, severity: Severity, text: string, subject: LogEvent['subject']): void;
  /** The state or an error changed. */
  changed(outlet: OutletRunner): void;
};

export type OutletCounts = { msgs: number; bytes: number; dropped: Record<OutletDropReason, number> };

/** One outlet: the picture in, messages out. It never waits for its peers, and holds one item a track for each. */
export class OutletRunner {
  readonly #deps: OutletDeps;
  readonly #link: Link;
  readonly credentials: CredentialHolder;
  readonly #peers = new Map<string, Peer>();
  readonly #timers = new Map<Peer, NodeJS.Timeout>();
  readonly #shared = new Map<string, { atMs: number; track: Track; messages: OutletMessage[] }>();
  readonly #log: ConditionLog;
  readonly counts: OutletCounts = { msgs: 0, bytes: 0, dropped: { rate: 0, blocked: 0, no_position: 0 } };
  #declared: DeclaredOutlet;
  #encoder: OutletEncoder;
  #area: PreparedArea;
  /** Name and password of the open connection. */
  #login: OutletLogin | null = null;
  /** Reason why it cannot try to open: something else of this box has its port. */
  #refused: { sentence: string; atMs: number } | null = null;

  /** Throws a Fault where the address cannot be understood. */
  constructor(declared: DeclaredOutlet, deps: OutletDeps) {
    this.#declared = declared;
    this.#deps = deps;
    this.#log = new ConditionLog(deps.note);
    const { spec } = declared;
    this.#encoder = encoderOf(deps.box, spec);
    this.#area = preparedArea(spec.filter.area, deps.picture);
    this.credentials = deps.credentials(declared.id);
    const { name, address, enabled, transport, interface: only, tls } = spec;
    this.#link = createSender(
      {
        ...{ name, address, enabled, transport, interface: only, tls, sources_allow: [], silence_s: SILENCE_S },
        ...(this.#encoder.broker && { broker: this.#encoder.broker }),
      },
      {
        chunk: (chunk) => this.#received(chunk),
        came: (from) => this.#came(from),
        gone: (from) => this.#gone(from),
        status: (status) => this.#statusChanged(status),
        // A client that only listens may be beside one that answers.
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
    return this.#area;
  }

  get peers(): readonly string[] {
    return [...this.#peers.keys()];
  }

  /** Tracks that a peer has; of several peers the most. */
  get tracks(): number {
    return Math.max(0, ...Array.from(this.#peers.values(), ({ size }) => size));
  }

  status(): LinkStatus {
    const status = this.#link.status();
    if (this.#refused === null) return status;
    const { sentence, atMs } = this.#refused;
    return { ...status, state: 'failed', lastError: sentence, sinceMs: atMs };
  }

  start(): void {
    this.#refused = null;
    try {
      this.#link.start();
    } catch (thrown) {
      this.#refused = { sentence: sentenceOf(thrown), atMs: this.#nowMs() };
      this.#statusChanged(this.status());
    }
  }

  async stop(): Promise<void> {
    this.#refused = null;
    this.#log.stopped();
    await this.#link.stop();
    for (const from of this.peers) this.#gone(from);
  }

  /** Stops for good, or for another receiver. What this one keeps is withdrawn before, if it takes that soon. */
  async retire(): Promise<void> {
    const messages = this.status().state === 'open' ? (this.#encoder.farewell?.() ?? []) : [];
    for (const from of this.peers) this.#gone(from);
    await sendFarewell(messages, (part) => this.#send(part, undefined));
    await this.stop();
  }

  /** Takes a declaration with the same receiver: tracks that no longer pass are ended at the peers. */
  apply(declared: DeclaredOutlet): void {
    // An encoder knows the numbers that tracks have at the peers, so it stays where it can.
    const isSame = isDeepStrictEqual(this.spec.options, declared.spec.options);
    if (!isSame) this.#encoder = encoderOf(this.#deps.box, declared.spec);
    this.#declared = declared;
    for (const peer of this.#peers.values()) peer.sweep(this.#nowMs(), true);
    this.areaChanged();
  }

  /** Prepares the area again and considers all tracks. */
  areaChanged(): void {
    this.#area = preparedArea(this.spec.filter.area, this.#deps.picture);
    this.mark(new Map(this.#deps.picture.tracks().map(({ id }) => [id, true])));
  }

  /** Takes changes of tracks; true for news. */
  mark(changed: ReadonlyMap<string, boolean>): void {
    const nowMs = this.#nowMs();
    for (const [id, isNews] of changed) {
      this.#shared.delete(id);
      for (const peer of this.#peers.values()) peer.mark(id, isNews, nowMs);
    }
    this.#pumpAll();
  }

  /** Takes the end of a track. */
  end(trackId: string): void {
    this.#shared.delete(trackId);
    for (const peer of this.#peers.values()) peer.end(trackId);
    this.#pumpAll();
  }

  alert(alert: Alert): void {
    if (!this.#isSent(alert)) return;
    const view = alertView(alert, this.spec.redact, this.#deps.picture);
    for (const peer of this.#peers.values()) peer.alert(view);
    this.#pumpAll();
  }

  everySecond(): void {
    this.#shared.clear();
    const nowMs = this.#nowMs();
    for (const peer of this.#peers.values()) peer.sweep(nowMs, false);
    this.#pumpAll();
  }

  /** Sends one item to every peer; returns the number of peers. Throws a `conflict` Fault while none takes it. */
  async test(): Promise<number> {
    const [nowMs, { name }] = [this.#nowMs(), this.spec];
    const messages = this.#encoder.test(this.#deps.picture.place(), this.#deps.utcMs(nowMs));
    const { state, lastError } = this.status();
    if (state !== 'open')
      throw new Fault('conflict', `the outlet ${name} is ${state}: ${lastError ?? 'it is not open'}`);
    const sent = await Promise.allSettled([...this.#peers].map(([to, peer]) => this.#writeNow(to, peer, messages)));
    const failed = sent.find((one) => one.status === 'rejected');
    const done = sent.length - sent.filter((one) => one.status === 'rejected').length;
    if (done === 0)
      throw new Fault('conflict', failed ? sentenceOf(failed.reason) : `no client is connected to ${name}`);
    return done;
  }

  async #writeNow(to: string, peer: Peer, messages: readonly OutletMessage[]): Promise<void> {
    if (peer.isBusy) throw new Fault('conflict', `the outlet ${this.spec.name} still waits for its peer to take data`);
    peer.isBusy = true;
    try {
      await this.#write(to, messages);
    } finally {
      peer.isBusy = false;
      this.#pump(to, peer);
    }
  }

  /** Credentials for a connection that is being opened. */
  #material(): Credentials | null {
    const read = this.credentials.read();
    const { username = null, password = null } = read ?? {};
    this.#login = username === null || password === null ? null : { username, password };
    return read;
  }

  #isSent({ severity }: Alert): boolean {
    const { least_severity: least } = this.spec.filter;
    return least !== null && severityRank(severity) >= severityRank(least);
  }

  #track(id: string, nowMs: number): { track: Track; messages: OutletMessage[] } | null {
    const shared = this.#shared.get(id);
    if (shared && nowMs - shared.atMs <= SHARED_MS) return shared;
    const { picture } = this.#deps;
    const track = picture.track(id);
    if (track === undefined) return null;
    const verdict = verdictOf(track, picture.threat(id)?.level ?? 'none', this.spec.filter, this.#area);
    if (verdict === 'no_position') this.counts.dropped.no_position++;
    if (verdict !== 'sent') return null;
    const view = viewOf(track, this.spec.redact, picture);
    const found = { atMs: nowMs, track, messages: this.#encoder.track(view, this.#deps.utcMs(nowMs)) };
    this.#shared.set(id, found);
    return found;
  }

  #open(from: string): void {
    const { picture, utcMs } = this.#deps;
    const ids = picture.tracks().map(({ id }) => id);
    const peer = new Peer(
      ids,
      {
        encoder: () => this.#encoder,
        login: () => this.#login,
        track: (id, nowMs) => this.#track(id, nowMs),
        end: (track, uids, atMs) => this.#encoder.end(viewOf(track, this.spec.redact, picture), uids, atMs),
        rankOf: (id) => threatLevels.indexOf(picture.threat(id)?.level ?? 'none'),
        activeAlerts: () => this.#activeAlerts(),
        dropped: (reason, count) => {
          this.counts.dropped[reason] += count;
        },
        pace: () => this.spec.pace,
        utcMs,
      },
      this.#nowMs(),
    );
    this.#peers.set(from, peer);
    this.#pump(from, peer);
  }

  #activeAlerts() {
    const follows = this.#encoder.followsAlerts === true;
    const isOpen = ({ state }: Alert): boolean => state === 'active' || (follows && state === 'acknowledged');
    const open = this.#deps.picture.alerts().filter((alert) => isOpen(alert) && this.#isSent(alert));
    return open.map((alert) => alertView(alert, this.spec.redact, this.#deps.picture));
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
    this.#log.lost(peer.alertsWaiting);
    this.counts.dropped.blocked += peer.alertsWaiting;
    if (this.#hasClients) this.#deps.changed(this);
  }

  get #hasClients(): boolean {
    return this.spec.transport === 'tcp_server';
  }

  #received({ bytes, from, atMs }: Chunk): void {
    this.#peers.get(this.#hasClients ? from : ONLY)?.session?.received(bytes, atMs);
  }

  #statusChanged(status: LinkStatus): void {
    if (!this.#hasClients) {
      if (status.state === 'open' && !this.#peers.has(ONLY)) this.#open(ONLY);
      else if (status.state !== 'open') this.#gone(ONLY);
    }
    this.#log.take(status, { id: this.id, name: this.spec.name });
    this.#deps.changed(this);
  }

  #pumpAll(): void {
    for (const [to, peer] of this.#peers) this.#pump(to, peer);
  }

  /** Writes what is due for a peer, part by part; another call meanwhile does nothing. */
  #pump(to: string, peer: Peer): void {
    if (peer.isBusy || this.#peers.get(to) !== peer) return;
    clearTimeout(this.#timers.get(peer));
    const nowMs = this.#nowMs();
    const messages = [...this.#upkeep(peer, nowMs), ...peer.take(nowMs, MOST_AT_ONCE)];
    if (messages.length === 0) {
      this.#pumpLater(to, peer, nowMs);
      return;
    }
    peer.isBusy = true;
    this.#write(to, messages)
      .catch(() => {
        // The link reports it; what was lost is sent again when it is open.
        this.counts.dropped.blocked += messages.length;
      })
      .finally(() => {
        peer.isBusy = false;
        this.#pump(to, peer);
      });
  }

  #pumpLater(to: string, peer: Peer, nowMs: number): void {
    const waitMs = peer.waitMs(nowMs);
    if (waitMs === null) return;
    this.#timers.set(peer, setTimeout(() => this.#pump(to, peer), Math.max(1, Math.ceil(waitMs))).unref());
  }

  /** Questions and answers of the connection, and the event of the box itself. */
  #upkeep(peer: Peer, nowMs: number): OutletMessage[] {
    const utcMs = this.#deps.utcMs(nowMs);
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

  #nowMs(): number {
    return this.#deps.link.nowMs();
  }
}
