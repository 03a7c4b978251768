import { type Alert, severityRank } from '../model/alert.ts';
import type { OutletDropReason, OutletSpec } from '../model/outlet.ts';
import type { AlertView, OutletMessage } from '../model/outlet_view.ts';
import type { Track } from '../model/track.ts';
import { AlertQueue } from './alert_queue.ts';
import type { OutletEncoder, OutletLogin, OutletSession } from './kinds.ts';
import { isOfNextReport, MessageRate, nextTurnMs, restTurnMs } from './pace.ts';
import { Ticks } from './ticks.ts';

/** Track that the peer has: its document as last sent, and the uids under which the peer knows it. */
type Sent = { track: Track; uids: readonly string[]; sentMs: number; turnMs: number; rank: number };

/**
 * Limit of the alerts whose sent severity is remembered. With this memory an alert is sent once, and again when it
 * becomes more severe. A receiver that follows alerts gets its other changes too.
 */
const MOST_ALERTS_KNOWN = 1_000;

/** Severities of the alerts that a receiver knows, by alert id. */
export type KnownAlerts = ReadonlyMap<string, Alert['severity']>;

/** Dependencies of a peer, which its outlet provides. */
export type PeerDeps = {
  encoder(): OutletEncoder;
  /** Returns user name and password of this connection; null if the credentials lack one of them. */
  login?(): OutletLogin | null;
  /**
   * Returns a track that passes the filter, with its messages. Null if the track does not pass, has no position or no
   * longer exists.
   */
  track(trackId: string, nowMs: number): { track: Track; messages: readonly OutletMessage[] } | null;
  /** Returns the messages that end a track. */
  end(track: Track, uids: readonly string[], utcMs: number): OutletMessage[];
  /** Returns the rank of a track's threat level. */
  rankOf(trackId: string): number;
  /** Returns an alert as the outlet sends it now; null if it is not sent. */
  alert(alertId: string): AlertView | null;
  /** Returns the alerts that are sent after the tracks when a connection opens. */
  activeAlerts(): AlertView[];
  dropped(reason: OutletDropReason, count: number): void;
  pace(): OutletSpec['pace'];
  utcMs(nowMs: number): number;
};

/**
 * One receiver of an outlet: what it has, and what waits for it. For each track only the fact that it changed waits.
 * Its content is read at the moment of sending, so the newest state is sent and no queue grows.
 */
export class Peer {
  readonly #deps: PeerDeps;
  readonly session: OutletSession | null;
  /** Ticks of a connection whose peer checks times; null for other formats. */
  readonly ticks: Ticks | null;
  readonly #sent = new Map<string, Sent>();
  /**
   * Tracks with unsent changes. `isNews` tells whether a change is news or only a detail; `atMs` is the time of the
   * last change, ms.
   */
  readonly #waiting = new Map<string, { isNews: boolean; atMs: number }>();
  readonly #ending = new Map<string, Sent>();
  readonly #alerts = new AlertQueue();
  readonly #knownAlerts: Map<string, Alert['severity']>;
  /**
   * Tracks that existed when the connection opened and are not sent yet. Null once the active alerts were sent after
   * them.
   */
  #opening: Set<string> | null;
  #rate: MessageRate;
  /** True while a write is in progress. */
  isBusy = false;
  /** Time from which the message about the box itself is due, ms. */
  presentFromMs = Number.NEGATIVE_INFINITY;

  /** `known` has the alerts of the receiver's connection before, if the receiver follows alerts. */
  constructor(trackIds: Iterable<string>, deps: PeerDeps, nowMs: number, known: KnownAlerts = new Map()) {
    this.#deps = deps;
    this.#knownAlerts = new Map(known);
    this.session = deps.encoder().session(nowMs, deps.login?.() ?? null);
    this.ticks = deps.encoder().isTimed ? new Ticks() : null;
    this.#opening = new Set(trackIds);
    for (const id of this.#opening) this.#waiting.set(id, { isNews: true, atMs: nowMs });
    this.#rate = new MessageRate(deps.pace().max_msgs_per_s, nowMs);
  }

  /** Number of tracks that the peer has. */
  get size(): number {
    return this.#sent.size;
  }

  /** Returns why the connection must be opened anew; null without a reason. */
  fault(utcMs: number): string | null {
    if (this.ticks?.isSetBack(utcMs))
      return 'the clock of this box was set back: the peer refuses earlier times, so the connection is opened anew';
    return this.session?.fault ?? null;
  }

  get knownAlerts(): KnownAlerts {
    return this.#knownAlerts;
  }

  get alertsWaiting(): number {
    return this.#alerts.size;
  }

  /**
   * Notes a change of a track. A change of the threat level counts as news. A detail is sent one interval later than
   * news, so that it does not delay the next report of the source. If an item was due and still waits, the new change
   * replaces it, and the old one counts as dropped.
   */
  mark(trackId: string, isNews: boolean, nowMs: number): void {
    const sent = this.#sent.get(trackId);
    const before = this.#waiting.get(trackId);
    if (before !== undefined && this.#turnMs(trackId, nowMs) <= nowMs)
      this.#deps.dropped(this.isBusy ? 'blocked' : 'rate', 1);
    const isOfLevel = sent !== undefined && sent.rank !== this.#deps.rankOf(trackId);
    const isWaitingNews = before?.isNews === true;
    const isAnyNews = isWaitingNews || isNews || isOfLevel;
    // A detail after news does not delay the news.
    const atMs = before !== undefined && isWaitingNews && !isNews ? before.atMs : nowMs;
    this.#waiting.set(trackId, { isNews: isAnyNews, atMs });
  }

  /** Notes that a track has ended, or is no longer sent. */
  end(trackId: string): void {
    this.#waiting.delete(trackId);
    this.#opening?.delete(trackId);
    const sent = this.#sent.get(trackId);
    if (sent === undefined) return;
    this.#sent.delete(trackId);
    this.#ending.set(trackId, sent);
  }

  /** Queues a change of an alert if it is news for this peer. */
  alert(alert: AlertView): void {
    if (!this.#isNews(alert)) return;
    this.#knownAlerts.delete(alert.id);
    if (alert.state !== 'cleared') this.#knownAlerts.set(alert.id, alert.severity);
    const [oldest] = this.#knownAlerts.keys();
    if (this.#knownAlerts.size > MOST_ALERTS_KNOWN && oldest !== undefined) this.#knownAlerts.delete(oldest);
    this.#deps.dropped('blocked', this.#alerts.push(alert));
  }

  /**
   * Returns true if an alert is new to the peer, or more severe than the peer knows. A peer that follows alerts gets
   * every change, but no end of an alert that it does not know.
   */
  #isNews({ id, state, severity }: AlertView): boolean {
    const known = this.#knownAlerts.get(id);
    if (this.#deps.encoder().followsAlerts === true) return state !== 'cleared' || known !== undefined;
    return state === 'active' && severityRank(severity) > (known === undefined ? -1 : severityRank(known));
  }

  /** Makes the waiting alerts anew after a change of filter or redaction. */
  renewAlerts(): void {
    const ended = ({ id, state, severity, raised_at }: AlertView): AlertView | null =>
      state === 'cleared' ? endedAlert(id, severity, raised_at) : null;
    this.#alerts.renew((alert) => this.#deps.alert(alert.id) ?? ended(alert));
  }

  /** Queues the active alerts, and the ends of alerts that ended while the receiver was not connected. */
  #openAlerts(utcMs: number): void {
    const active = this.#deps.activeAlerts();
    const ids = new Set(active.map(({ id }) => id));
    const ended = [...this.#knownAlerts].filter(([id]) => !ids.has(id));
    for (const alert of active) this.alert(alert);
    for (const [id, severity] of ended) this.alert(endedAlert(id, severity, new Date(utcMs).toISOString()));
  }

  /**
   * Marks tracks that were not sent for `keep_s` to be sent again. Call it once a second. `isAnotherRate` applies a
   * changed limit of messages.
   */
  sweep(nowMs: number, isAnotherRate: boolean): void {
    const keepMs = this.#deps.pace().keep_s * 1_000;
    for (const [id, { sentMs }] of this.#sent)
      if (nowMs - sentMs >= keepMs && !this.#waiting.has(id)) this.#waiting.set(id, { isNews: true, atMs: nowMs });
    if (isAnotherRate) this.#rate = new MessageRate(this.#deps.pace().max_msgs_per_s, nowMs);
  }

  /**
   * Returns the next messages that may be sent, at most about `most`: alerts, ends of tracks, then tracks. If not all
   * tracks may be sent, they are sorted by threat level, then by the time of their last message.
   */
  take(nowMs: number, most: number): OutletMessage[] {
    const messages: OutletMessage[] = [];
    const isFull = (): boolean => messages.length >= most || this.#rate.left(nowMs) < 1;
    const add = (more: readonly OutletMessage[]): void => {
      messages.push(...more);
      this.#rate.take(more.length);
    };
    const utcMs = this.#deps.utcMs(nowMs);
    while (this.#alerts.size > 0 && !isFull()) {
      const alert = this.#alerts.shift();
      if (alert !== undefined) add(this.#deps.encoder().alert(alert, utcMs));
    }
    for (const [id, { track, uids }] of this.#ending) {
      if (isFull()) return messages;
      this.#ending.delete(id);
      add(this.#deps.end(track, uids, utcMs));
    }
    for (const id of this.#due(nowMs)) {
      if (isFull()) return messages;
      add(this.#track(id, nowMs, utcMs));
    }
    if (this.#opening?.size === 0) {
      this.#opening = null;
      this.#openAlerts(utcMs);
    }
    return messages;
  }

  /** Returns the time until something may be sent, ms; null if nothing waits. */
  waitMs(nowMs: number): number | null {
    const isPlain = this.#alerts.size > 0 || this.#ending.size > 0;
    let turnMs = isPlain ? nowMs : Number.POSITIVE_INFINITY;
    for (const id of this.#waiting.keys()) {
      if (turnMs <= nowMs) break;
      turnMs = Math.min(turnMs, this.#turnMs(id, nowMs));
    }
    if (turnMs === Number.POSITIVE_INFINITY) return null;
    return Math.max(turnMs - nowMs, this.#rate.waitMs(nowMs));
  }

  /** Returns the time from which a waiting track may be sent, ms. A new track may be sent at once. */
  #turnMs(id: string, nowMs: number): number {
    const sent = this.#sent.get(id);
    const waiting = this.#waiting.get(id);
    if (sent === undefined || waiting === undefined) return nowMs;
    const intervalMs = this.#deps.pace().track_s * 1_000;
    if (!waiting.isNews) return sent.turnMs + intervalMs;
    // The rest of a report that was already sent must not use up the interval of the next report.
    if (!isOfNextReport(waiting.atMs, sent.sentMs, intervalMs))
      return Math.max(sent.turnMs, restTurnMs(sent.sentMs, intervalMs));
    return sent.turnMs;
  }

  /** Returns the waiting tracks that may be sent now, in the order of sending. */
  #due(nowMs: number): string[] {
    const due: string[] = [];
    for (const id of this.#waiting.keys()) if (this.#turnMs(id, nowMs) <= nowMs) due.push(id);
    // The order does not matter if all of them may be sent now.
    if (due.length <= this.#rate.left(nowMs)) return due;
    const sentMs = (id: string): number => this.#sent.get(id)?.sentMs ?? 0;
    const ranked = due.map((id) => ({ id, rank: this.#deps.rankOf(id), sentMs: sentMs(id) }));
    return ranked.sort((a, b) => b.rank - a.rank || a.sentMs - b.sentMs).map(({ id }) => id);
  }

  #track(id: string, nowMs: number, utcMs: number): readonly OutletMessage[] {
    const found = this.#deps.track(id, nowMs);
    if (found === null || found.messages.length === 0) {
      this.end(id);
      return [];
    }
    this.#waiting.delete(id);
    this.#opening?.delete(id);
    // The peer still has a track whose end was not sent yet.
    const before = this.#sent.get(id) ?? this.#ending.get(id);
    this.#ending.delete(id);
    const uids = found.messages.map(({ uid }) => uid);
    const gone = before?.uids.filter((uid) => !uids.includes(uid)) ?? [];
    const turnMs = nextTurnMs(before?.turnMs ?? Number.NEGATIVE_INFINITY, nowMs, this.#deps.pace().track_s * 1_000);
    this.#sent.set(id, { track: found.track, uids, sentMs: nowMs, turnMs, rank: this.#deps.rankOf(id) });
    return gone.length === 0 ? found.messages : [...found.messages, ...this.#deps.encoder().withdraw(gone, utcMs)];
  }
}

/** Returns the end of an alert that is no longer in the picture. The text names nothing that may be redacted now. */
function endedAlert(id: string, severity: Alert['severity'], raised_at: string): AlertView {
  const text = 'The alert is over.';
  return { id, severity, state: 'cleared', raised_at, track_ids: [], tracks: [], text, isWorse: false };
}
