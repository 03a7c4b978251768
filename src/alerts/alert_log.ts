import { type Alert, type AlertKind, type ClearedReason, severityRank } from '../model/alert.ts';
import type { Firing } from '../model/firing.ts';
import type { Notice } from '../model/webhook.ts';
import type { AlertStore, KeptAlert } from '../store/alerts.ts';
import { AlertPlaces } from './alert_places.ts';
import { AlertWriter, keptOf } from './alert_writer.ts';
import type { AlertLogDeps, AlertPolicy } from './deps.ts';
import { clearedText, type Held, HeldAlerts, heldOf, isExcused, isSame, isWorse } from './held_alerts.ts';
import {
  eventOf,
  homeOf,
  membersOf,
  newAlert,
  type RuleEvent,
  shownOf,
  stepped,
  worstOf,
  worstStep,
} from './rule_events.ts';

/** Time for which a cleared, unacknowledged alert stays in the picture, ms: 12 h, or 30 min for low severities. */
const UNSEEN_MS = { info: 1_800_000, notice: 1_800_000, warning: 43_200_000, critical: 43_200_000 } as const;
/** Time within which the core, after a start, reports events that continue from before the start, ms. */
const UNSURE_MS = 60_000;
/** Minimum interval between two sounds of one unacknowledged alert if only its number of aircraft grows, ms. */
const SOUND_EVERY_MS = 10_000;

type Step = { held: Held; alert: Alert; kinds: AlertKind[]; notice: Notice['kind'] | null };

/**
 * Alerts of a world. A track, group, asset, sensor or part of the box (such as its clock) has at most one continuing
 * alert. The alert lasts until the last event about this subject ends. It sounds when it is raised, and again when it
 * becomes worse (`isWorse`). Methods get the time as an argument.
 */
export class AlertLog {
  readonly #deps: AlertLogDeps;
  readonly #writer: AlertWriter;
  readonly #held = new HeldAlerts();
  readonly #places = new AlertPlaces();
  #policy: AlertPolicy = { cooldownS: 60, maxActive: 500 };
  /** Alerts raised in the current call of `take`. */
  readonly #fresh: Held[] = [];
  /** Keys of the events that end in the current call of `take`. An alert is not redrawn if all its events end there. */
  #ending = new Set<string>();
  #madeRoom = 0;
  /** Number of alerts dropped because of the limit `maxActive`, since the start. */
  droppedCount = 0;

  constructor(deps: AlertLogDeps) {
    this.#deps = deps;
    this.#writer = new AlertWriter(deps.store, deps.trouble);
  }

  get store(): AlertStore {
    return this.#deps.store;
  }

  setPolicy(policy: AlertPolicy): void {
    this.#policy = policy;
  }

  get #cooldownMs(): number {
    return this.#policy.cooldownS * 1000;
  }

  /** Returns the alerts in the picture. */
  shown(): Alert[] {
    return Array.from(this.#held.all(), ({ alert }) => alert);
  }

  /** Returns the alerts with changes that are not on the disk yet. */
  unsaved(): Alert[] {
    return this.#writer.unsaved();
  }

  /** Returns an alert; undefined if it is not in memory. */
  get(id: string): Alert | undefined {
    return this.#held.get(id)?.alert;
  }

  /**
   * Returns the alerts in memory whose subject or only track is this track. Alerts about several tracks, such as those
   * about a group, are left out.
   */
  ofTrack(trackId: string): Alert[] {
    return this.shown().filter(
      ({ subject, track_ids: [first, second] }) =>
        (subject.type === 'track' && subject.id === trackId) || (first === trackId && second === undefined),
    );
  }

  /**
   * Restores the alerts of an earlier run. Call this before anything is published. A continuing alert whose cause (see
   * `Cause`) is `gone` or `over` is cleared at once. If the cause is `seen`, an event that no rule reports within a
   * minute ends. While the cause is `unseen`, the alert stays.
   */
  restore(nowMs: number): void {
    for (const kept of this.#deps.store.open()) this.#restoreOne(kept, nowMs);
    for (const held of this.#places.all()) this.#settleUnsure(held, nowMs);
    this.#writer.save(nowMs);
  }

  /** Restores one alert. Earlier versions stored several alerts about one subject; continuing ones become one alert. */
  #restoreOne({ alert, key: home, notify, events }: KeptAlert, nowMs: number): void {
    const [now] = events;
    const worst = worstStep(alert, now?.key ?? home);
    if (worst === undefined) return;
    const held = heldOf(alert, home, { ...worst, unsureUntilMs: null }, { notify, log: true }, nowMs);
    this.#held.add(held);
    if (alert.state === 'cleared') return;
    const first = this.#places.at(home) ?? held;
    this.#places.take(first);
    for (const event of events) this.#places.place(first, { ...event, unsureUntilMs: nowMs + UNSURE_MS });
    if (first === held) return;
    this.#redraw(first, null, nowMs);
    this.#clear(held, nowMs, 'merged');
  }

  /** Makes all events wait for a new report. Call this after a restart of the core, which repeats continuing events. */
  unsure(nowMs: number): void {
    for (const held of this.#places.all())
      for (const event of held.events.values())
        held.events.set(event.key, { ...event, unsureUntilMs: nowMs + UNSURE_MS });
  }

  /** Applies the firings of rules in the order of the list. */
  take(firings: readonly Firing[], nowMs: number): void {
    this.#ending = new Set(firings.flatMap(({ change, key }) => (change === 'ended' ? [key] : [])));
    for (const firing of firings) this.#takeOne(firing, nowMs);
    this.#ending.clear();
    for (const held of this.#fresh.splice(0)) this.#publishRaised(held);
    this.#publishRoom();
    this.#writer.save(nowMs);
  }

  /** Applies the changes that depend only on time. Call this about once a second. */
  tick(nowMs: number): void {
    for (const held of this.#places.all()) {
      if (held.clearedMs === null) this.#settleUnsure(held, nowMs);
      else if (nowMs - held.clearedMs >= this.#cooldownMs) this.#places.forget(held);
    }
    for (const held of [...this.#held.all()]) {
      const { alert, clearedMs } = held;
      if (clearedMs !== null && nowMs - clearedMs >= UNSEEN_MS[alert.severity]) this.#settle(held, nowMs, {});
    }
    this.#writer.save(nowMs);
    this.#writer.prune(nowMs);
  }

  /**
   * Settles the events of an alert that wait for a new report (`unsureUntilMs`), by the state of the alert's cause:
   * clears the alert, ends the events, or lets them wait longer.
   */
  #settleUnsure(held: Held, nowMs: number): void {
    const unsure = [...held.events.values()].filter(({ unsureUntilMs }) => unsureUntilMs !== null);
    if (unsure.length === 0) return;
    const cause = this.#deps.causeOf(held.alert);
    if (cause === 'unseen')
      for (const event of unsure) held.events.set(event.key, { ...event, unsureUntilMs: nowMs + UNSURE_MS });
    else if (cause === 'gone') this.#clear(held, nowMs, 'lost');
    else if (cause === 'over') this.#clear(held, nowMs, 'recovered');
    else
      for (const { key, unsureUntilMs } of unsure)
        if (nowMs >= (unsureUntilMs ?? 0)) this.#end(held, key, nowMs, this.#deps.endOf(held.alert), null);
  }

  /** Returns the database row for an alert that is being acknowledged. */
  keptAs(alert: Alert): KeptAlert {
    const held = this.#held.get(alert.id);
    return held ? { ...keptOf(held), alert } : { alert, key: '', notify: false, events: [] };
  }

  /** Publishes the acknowledged state of an alert in memory. Call this after that state is on the disk. */
  saved(alert: Alert): void {
    const held = this.#held.get(alert.id);
    if (!held) return;
    const rank = severityRank(alert.severity);
    held.peak = { rank, count: alert.count, leftMs: null };
    this.#writer.written(alert.id);
    this.#held.change(held, alert);
    if (alert.settled_at !== null) this.#held.remove(held);
    this.#deps.publish(alert, ['alert_update']);
  }

  /** Writes all unsaved changes. */
  flush(nowMs: number): void {
    this.#writer.flush(nowMs);
  }

  #takeOne(firing: Firing, nowMs: number): void {
    const at = this.#places.ofEvent(firing.key);
    if (at) this.#publishRaised(at);
    if (at && firing.change === 'ended') {
      this.#end(at, firing.key, nowMs, firing.because ?? 'left', firing.text);
      return;
    }
    if (!firing.does.alert) {
      // The rule alerted when it last reported this event, for example before a restart, and was edited since.
      if (at) this.#end(at, firing.key, nowMs, 'rule_changed', null);
      this.#passOn(firing, nowMs);
      return;
    }
    if (!at && (firing.change === 'changed' || firing.change === 'ended')) return;
    const held = (at && this.#stays(at, firing, nowMs)) ?? this.#places.at(homeOf(firing));
    if (held === undefined) this.#raise(firing, nowMs);
    else if (held.clearedMs === null) this.#report(held, firing, nowMs);
    else if (nowMs - held.clearedMs < this.#cooldownMs && !isExcused(held)) this.#resume(held, firing, nowMs);
    else this.#raise(firing, nowMs);
  }

  /**
   * Returns `held` if the event of a firing stays in this alert; undefined if the event left it for its new subject. If
   * `held` has no other event and the new subject has no continuing alert, the whole alert moves to the new subject.
   */
  #stays(held: Held, firing: Firing, nowMs: number): Held | undefined {
    const home = homeOf(firing);
    if (home === held.home) return held;
    const other = this.#places.at(home);
    if (held.events.size === 1 && other?.clearedMs !== null) {
      this.#places.move(held, home);
      return held;
    }
    if (held.events.size === 1 && other) this.#unsee(other, held.alert, nowMs);
    this.#end(held, firing.key, nowMs, 'merged', null);
    return undefined;
  }

  /** Removes the acknowledgement of `held` if the merged alert `taken` is unacknowledged and at least as severe. */
  #unsee(held: Held, taken: Alert, nowMs: number): void {
    const { alert: was } = held;
    if (was.acknowledged === null || taken.acknowledged !== null) return;
    if (severityRank(taken.severity) < severityRank(was.severity)) return;
    const alert: Alert = { ...was, state: 'active', acknowledged: null, updated_at: this.#deps.timeText(nowMs) };
    this.#publish({ held, alert, kinds: ['alert_update'], notice: null });
  }

  /** Logs and notifies a firing that raises no alert, as its rule says. A `changed` firing does neither. */
  #passOn({ change, ruleId, severity, text, subject, ...firing }: Firing, nowMs: number): void {
    if (firing.does.log && change !== 'changed')
      this.#deps.log(`rule.${change === 'ended' ? 'ended' : 'fired'}`, severity, text, subject);
    if (!firing.does.notify || change === 'changed') return;
    const { ruleVersion: rule_version, trackIds: track_ids, zoneId: zone_id, count } = firing;
    const body = { rule_id: ruleId, rule_version, change, severity, subject, text, track_ids, zone_id, count };
    this.#writer.send({ kind: 'firing', severity, at: this.#deps.timeText(nowMs), body });
  }

  #raise(firing: Firing, nowMs: number): void {
    const at = this.#deps.timeText(nowMs);
    const event = eventOf(firing);
    const alert = newAlert(this.#deps.newId(), event, at);
    const held = heldOf(alert, homeOf(firing), event, firing.does, nowMs);
    held.published = false;
    this.#held.add(held);
    this.#places.take(held);
    this.#places.place(held, event);
    this.#fresh.push(held);
    this.#makeRoom(held, nowMs);
  }

  /**
   * Publishes a raised alert. An alert that the limit dropped in the same step is never published: it would distract
   * from the alerts that are kept.
   */
  #publishRaised(held: Held): void {
    if (held.published || this.#held.get(held.alert.id) !== held) return;
    held.published = true;
    const { alert } = held;
    this.#publish({ held, alert, kinds: ['alert', 'live_alert'], notice: 'alert' });
    if (held.log) this.#log('alert.raised', alert);
  }

  /** Reopens a cleared alert for a new event within the cool-down. It sounds only if it is worse (`isWorse`). */
  #resume(held: Held, firing: Firing, nowMs: number): void {
    held.clearedMs = null;
    if (held.alert.settled_at !== null) this.#held.add(held);
    const { acknowledged } = held.alert;
    const state = acknowledged === null ? 'active' : 'acknowledged';
    const open = { ...held.alert, state, cleared_at: null, cleared_reason: null, settled_at: null } as const;
    this.#held.change(held, open);
    if (this.#makeRoom(held, nowMs)) this.#report(held, firing, nowMs, true);
  }

  /** Adds an event of a rule to a continuing alert. */
  #report(held: Held, firing: Firing, nowMs: number, resumed = false): void {
    const isNew = firing.does.notify && !held.notify;
    held.notify ||= firing.does.notify;
    held.log ||= firing.does.log;
    const event = eventOf(firing);
    this.#places.place(held, event);
    this.#redraw(held, { event, ...firing.does, isNew, resumed }, nowMs);
  }

  /** Makes an alert show its most severe continuing event. `by` is a reported event, or null after an event ended. */
  #redraw(
    held: Held,
    by: { event: RuleEvent; log: boolean; isNew: boolean; resumed: boolean } | null,
    nowMs: number,
  ): void {
    const was = held.alert;
    const worst = worstOf(held.events.values());
    if (!worst) return;
    const rank = severityRank(worst.severity);
    if (rank >= severityRank(held.worst.severity)) held.worst = worst;
    const members = membersOf(worst, held.events.values());
    const worse = isWorse(held, rank, members.count, this.#cooldownMs, nowMs);
    const sounds =
      worse && (was.acknowledged !== null || nowMs - held.soundedMs >= SOUND_EVERY_MS || rank > held.peak.rank);
    const at = this.#deps.timeText(nowMs);
    const steps = by === null ? was.steps : stepped(was.steps, by.event, at, sounds);
    const words: Alert = { ...was, ...shownOf(worst), ...members, steps };
    if (!worse) {
      if (by?.resumed !== true && isSame(was, words)) return;
      const notice = by?.isNew === true ? 'alert' : null;
      const isStep = steps !== was.steps;
      this.#publish(
        { held, alert: { ...words, updated_at: at }, kinds: ['alert_update'], notice },
        isStep || by?.resumed,
      );
      if (isStep && by?.log) this.#log('alert.step', words, by.event.text);
      return;
    }
    if (sounds) held.soundedMs = nowMs;
    held.peak = { rank, count: members.count, leftMs: null };
    const alert: Alert = { ...words, state: 'active', acknowledged: null, updated_at: at, escalated_at: at };
    const kinds: AlertKind[] = sounds ? ['alert_update', 'live_alert'] : ['alert_update'];
    this.#publish({ held, alert, kinds, notice: sounds ? 'alert_update' : null });
    if (by?.log && sounds) this.#log('alert.worse', alert);
  }

  /** Ends an event of an alert. The end of the last event clears the alert. */
  #end(held: Held, key: string, nowMs: number, reason: ClearedReason, words: string | null): void {
    if (held.events.size === 1) {
      this.#clear(held, nowMs, reason, words);
      return;
    }
    this.#places.end(held, key);
    const goesOn = [...held.events.keys()].some((other) => !this.#ending.has(other));
    if (goesOn) this.#redraw(held, null, nowMs);
  }

  /** Clears an alert. `words` is the log text; if null, the text is made from the alert's subject and `reason`. */
  #clear(held: Held, nowMs: number, reason: ClearedReason, words: string | null = null): void {
    const at = this.#deps.timeText(nowMs);
    const { alert: was } = held;
    this.#places.leave(held);
    held.clearedMs = nowMs;
    const settled_at = was.acknowledged === null ? null : at;
    const over = { state: 'cleared', cleared_at: at, cleared_reason: reason, updated_at: at, settled_at } as const;
    const alert: Alert = { ...was, ...shownOf(held.worst), subject: was.subject, ...over };
    this.#publish({ held, alert, kinds: ['alert_update'], notice: 'alert_update' });
    if (held.log) this.#log('alert.cleared', alert, words ?? clearedText(was, reason));
    if (settled_at !== null) this.#held.remove(held);
  }

  #settle(held: Held, nowMs: number, fields: Partial<Alert>): void {
    const at = this.#deps.timeText(nowMs);
    const alert: Alert = { ...held.alert, ...fields, settled_at: at, updated_at: at };
    this.#publish({ held, alert, kinds: ['alert_update'], notice: null });
    this.#held.remove(held);
  }

  /** Drops the least important alerts beyond the limit. Returns false if `newcomer` itself was dropped. */
  #makeRoom(newcomer: Held, nowMs: number): boolean {
    while (this.#held.size > this.#policy.maxActive) {
      const least = this.#held.least();
      if (!least) return true;
      this.#madeRoom++;
      this.droppedCount++;
      this.#places.forget(least);
      this.#places.leave(least);
      if (least === newcomer || !least.published) {
        this.#held.remove(least);
        if (least === newcomer) return false;
        continue;
      }
      const isOver = least.alert.state === 'cleared';
      this.#settle(least, nowMs, isOver ? {} : { state: 'cleared', cleared_at: this.#deps.timeText(nowMs) });
    }
    return true;
  }

  #publishRoom(): void {
    if (this.#madeRoom === 0) return;
    const many = this.#madeRoom === 1 ? 'an alert was' : `${this.#madeRoom} alerts were`;
    const text = `${many} dropped, because the limit of ${this.#policy.maxActive} alerts at the same time was reached`;
    this.#madeRoom = 0;
    this.#deps.log('alert.dropped', 'warning', text, { type: 'site', id: 'alerts', label: 'alerts' });
  }

  #publish({ held, alert, kinds, notice }: Step, urgent = true): void {
    this.#held.change(held, alert);
    this.#writer.note(held, urgent);
    if (notice !== null && held.notify)
      this.#writer.send({ kind: notice, severity: alert.severity, at: alert.updated_at, body: alert });
    this.#deps.publish(alert, kinds);
  }

  #log(kind: string, { severity, text, subject }: Alert, words = text): void {
    this.#deps.log(kind, kind === 'alert.cleared' && severity !== 'info' ? 'notice' : severity, words, subject);
  }
}
