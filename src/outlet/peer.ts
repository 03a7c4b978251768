import { severityRank } from '../model/alert.ts';
import type { OutletDropReason, OutletSpec } from '../model/outlet.ts';
import type { AlertView, OutletMessage } from '../model/outlet_view.ts';
import type { Track } from '../model/track.ts';
import { AlertQueue } from './alert_queue.ts';
import type { OutletEncoder, OutletLogin, OutletSession } from './kinds.ts';
import { isOfNextReport, MessageRate, nextTurnMs, restTurnMs } from './pace.ts';
import { Ticks } from './ticks.ts';

/** A track that the peer has: its document in the picture, and the uids under which the peer has it. */
type Sent = { track: Track; uids: readonly string[]; sentMs: number; turnMs: number; rank: number };

/** Alerts whose severity the peer was sent, to send each once and again when it is worse. */
const MOST_ALERTS_KNOWN = 1_000;

/** Dependencies of a peer, which its outlet provides. */
export type PeerDeps = {
  encoder(): OutletEncoder;
  /** Name and password of this connection; none where absent. */
  login?(): OutletLogin | null;
  /** A track that passes the filter, with its messages; null where it does not pass, or is gone. */
  track(trackId: string, nowMs: number): { track: Track; messages: readonly OutletMessage[] } | null;
  /** Messages at the end of a track. */
  end(track: Track, uids: readonly string[], utcMs: number): OutletMessage[];
  /** Rank of the threat level of a track. */
  rankOf(trackId: string): number;
  /** Active alerts, which follow the tracks after the opening. */
  activeAlerts(): AlertView[];
  dropped(reason: OutletDropReason, count: number): void;
  pace(): OutletSpec['pace'];
  utcMs(nowMs: number): number;
};

/**
 * One receiver of an outlet: what it has, and what waits for it. Of each track one item waits, without its content: the
 * content is that of the moment of sending, so the newest wins and nothing grows.
 */
export class Peer {
  readonly #deps: PeerDeps;
  readonly session: OutletSession | null;
  /** Turns of a connection whose peer checks times; null for others. */
  readonly ticks: Ticks | null;
  readonly #sent = new Map<string, Sent>();
  /** Tracks with changes: whether one of them is news and not only a detail, and the time of the last. */
  readonly #waiting = new Map<string, { isNews: boolean; atMs: number }>();
  readonly #ending = new Map<string, Sent>();
  readonly #alerts = new AlertQueue();
  readonly #knownAlerts = new Map<string, number>();
  /** Tracks that were there at the opening and were not sent yet; null once the active alerts followed. */
  #opening: Set<string> | null;
  #rate: MessageRate;
  /** Whether a write has not left yet. */
  isBusy = false;
  /** Time from which the event of the box itself is due. */
  presentFromMs = Number.NEGATIVE_INFINITY;

  constructor(trackIds: Iterable<string>, deps: PeerDeps, nowMs: number) {
    this.#deps = deps;
    this.session = deps.encoder().session(nowMs, deps.login?.() ?? null);
    this.ticks = deps.encoder().isTimed ? new Ticks() : null;
    this.#opening = new Set(trackIds);
    for (const id of this.#opening) this.#waiting.set(id, { isNews: true, atMs: nowMs });
    this.#rate = new MessageRate(deps.pace().max_msgs_per_s, nowMs);
  }

  /** Tracks that the peer has. */
  get size(): number {
    return this.#sent.size;
  }

  /** Reason why the connection must be made anew; null while there is none. */
  fault(utcMs: number): string | null {
    if (this.ticks?.isSetBack(utcMs)) return 'the clock was set back: the peer refuses earlier times on one connection';
    return this.session?.fault ?? null;
  }

  get alertsWaiting(): number {
    return this.#alerts.size;
  }

  /**
   * Notes a change of a track. A detail leaves one interval later than news, so that it does not take the turn of the next
   * report. An item that was due and waits is overtaken, which counts as dropped.
   */
  mark(trackId: string, isNews: boolean, nowMs: number): void {
    const sent = this.#sent.get(trackId);
    const before = this.#waiting.get(trackId);
    if (before !== undefined && this.#turnMs(trackId, nowMs) <= nowMs)
      this.#deps.dropped(this.isBusy ? 'blocked' : 'rate', 1);
    const isOfLevel = sent !== undefined && sent.rank !== this.#deps.rankOf(trackId);
    const isWaitingNews = before?.isNews === true;
    const isAnyNews = isWaitingNews || isNews || isOfLevel;
    // A detail after news does not make the news later.
    const atMs = before !== undefined && isWaitingNews && !isNews ? before.atMs : nowMs;
    this.#waiting.set(trackId, { isNews: isAnyNews, atMs });
  }

  /** Notes that a track is over, or is not sent any more. */
  end(trackId: string): void {
    this.#waiting.delete(trackId);
    this.#opening?.delete(trackId);
    const sent = this.#sent.get(trackId);
    if (sent === undefined) return;
    this.#sent.delete(trackId);
    this.#ending.set(trackId, sent);
  }

  /** Takes a change of an alert, as far as the format has it. */
  alert(alert: AlertView): void {
    if (!this.#isNews(alert)) return;
    this.#knownAlerts.delete(alert.id);
    if (alert.state !== 'cleared') this.#knownAlerts.set(alert.id, severityRank(alert.severity));
    const [oldest] = this.#knownAlerts.keys();
    if (this.#knownAlerts.size > MOST_ALERTS_KNOWN && oldest !== undefined) this.#knownAlerts.delete(oldest);
    this.#deps.dropped('blocked', this.#alerts.push(alert));
  }

  /** True where an alert is new or more severe than the peer knows it. A peer that follows alerts gets every change. */
  #isNews({ id, state, severity }: AlertView): boolean {
    const known = this.#knownAlerts.get(id);
    if (this.#deps.encoder().followsAlerts === true) return state !== 'cleared' || known !== undefined;
    return state === 'active' && severityRank(severity) > (known ?? -1);
  }

  /** Once a second: tracks that were not sent for `keep_s` are sent again. A new limit of messages counts from here on. */
  sweep(nowMs: number, isAnotherRate: boolean): void {
    const keepMs = this.#deps.pace().keep_s * 1_000;
    for (const [id, { sentMs }] of this.#sent)
      if (nowMs - sentMs >= keepMs && !this.#waiting.has(id)) this.#waiting.set(id, { isNews: true, atMs: nowMs });
    if (isAnotherRate) this.#rate = new MessageRate(this.#deps.pace().max_msgs_per_s, nowMs);
  }

  /** The next messages that may leave: ends, alerts, then tracks by level and by the time since each was sent. */
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
      for (const alert of this.#deps.activeAlerts()) this.alert(alert);
    }
    return messages;
  }

  /** Time until something may leave, ms; null where nothing waits. */
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

  /** Time from which a waiting track may leave; a new one may at once. */
  #turnMs(id: string, nowMs: number): number {
    const sent = this.#sent.get(id);
    const waiting = this.#waiting.get(id);
    if (sent === undefined || waiting === undefined) return nowMs;
    const intervalMs = this.#deps.pace().track_s * 1_000;
    if (!waiting.isNews) return sent.turnMs + intervalMs;
    // The rest of a report that was sent already must not take the turn of the next one.
    if (!isOfNextReport(waiting.atMs, sent.sentMs, intervalMs))
      return Math.max(sent.turnMs, restTurnMs(sent.sentMs, intervalMs));
    return sent.turnMs;
  }

  /** Waiting tracks whose turn has come, in the order in which they leave. */
  #due(nowMs: number): string[] {
    const due: string[] = [];
    for (const id of this.#waiting.keys()) if (this.#turnMs(id, nowMs) <= nowMs) due.push(id);
    // The order does not matter if all may leave at once.
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
    // The peer still has a track whose end has not left yet.
    const before = this.#sent.get(id) ?? this.#ending.get(id);
    this.#ending.delete(id);
    const uids = found.messages.map(({ uid }) => uid);
    const gone = before?.uids.filter((uid) => !uids.includes(uid)) ?? [];
    const turnMs = nextTurnMs(before?.turnMs ?? Number.NEGATIVE_INFINITY, nowMs, this.#deps.pace().track_s * 1_000);
    this.#sent.set(id, { track: found.track, uids, sentMs: nowMs, turnMs, rank: this.#deps.rankOf(id) });
    return gone.length === 0 ? found.messages : [...found.messages, ...this.#deps.encoder().withdraw(gone, utcMs)];
  }
}
