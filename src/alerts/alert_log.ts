import { type Alert, type AlertKind, severityRank } from '../model/alert.ts';
import type { Severity } from '../model/event.ts';
import { sentenceOf } from '../model/fault.ts';
import type { Firing } from '../model/firing.ts';
import type { Notice } from '../model/webhook.ts';
import type { AlertStore, KeptAlert } from '../store/alerts.ts';
import { type Held, HeldAlerts, heldOf, isSame, wordsOf } from './held_alerts.ts';

/** Limits for the alerts of a workspace, by its decision config. */
export type AlertPolicy = { cooldownS: number; maxActive: number };

export type AlertLogDeps = {
  store: AlertStore;
  newId(): string;
  /** The time of the world as RFC 3339. */
  timeText(worldMs: number): string;
  /** Publishes an alert as each of these kinds. */
  publish(alert: Alert, kinds: readonly AlertKind[]): void;
  log(kind: string, severity: Severity, text: string, subject: Alert['subject']): void;
  /** Reports that the disk refused a write. */
  trouble(sentence: string): void;
  /** Present state of the cause of an alert that no rule has reported since the start. */
  causeOf(alert: Alert): Cause;
};

/**
 * `gone`: the subject does not exist any more; `over`: it exists and is well; `unseen`: its state is unknown; `seen`: the
 * rules see it, and report within a minute where the event continues.
 */
export type Cause = 'gone' | 'over' | 'unseen' | 'seen';

/** Time for which a cleared alert without acknowledgement stays in the picture: a watch, or half an hour for low severities. */
const UNSEEN_MS = { info: 1_800_000, notice: 1_800_000, warning: 43_200_000, critical: 43_200_000 } as const;
/** Time after a start within which the core reports continuing events. */
const UNSURE_MS = 60_000;
/** Least time between two sounds of a console where only the number of aircraft grows. */
const SOUND_EVERY_MS = 10_000;
/** Least time between two writes of changed texts alone. */
const WORDS_EVERY_MS = 5_000;
/** Limit for unsaved alerts while the disk refuses; the oldest are dropped first. */
const MOST_WAITING = 10_000;
const PRUNE_EVERY_MS = 600_000;

const AGAIN = 'the service was started again, and this was not seen since';
const GONE = 'the service was started again, and what this is about is not there any more';
const RECOVERED = 'recovered';
const ROOM = 'it made room for alerts that matter more';

type Step = { held: Held; alert: Alert; kinds: AlertKind[]; notice: Notice['kind'] | null };

/**
 * The alerts of a world: one for each event, from its beginning to its end. It sounds when it is raised and when it gets
 * worse than at its acknowledgement; its end is published once. All times are arguments.
 */
export class AlertLog {
  readonly #deps: AlertLogDeps;
  readonly #held = new HeldAlerts();
  /** Alerts by event: continuing ones, and those that ended a short while ago. */
  readonly #byKey = new Map<string, Held>();
  #policy: AlertPolicy = { cooldownS: 60, maxActive: 500 };
  #dirty = new Map<string, Held>();
  /** Alerts raised in this step. */
  readonly #fresh: Held[] = [];
  #notices: Notice[] = [];
  /** True while a change that must not be lost waits for the disk. */
  #urgent = false;
  #wordsDueMs = 0;
  #pruneDueMs = PRUNE_EVERY_MS;
  #madeRoom = 0;
  /** Alerts that made room for others, since the start. */
  droppedCount = 0;

  constructor(deps: AlertLogDeps) {
    this.#deps = deps;
  }

  get store(): AlertStore {
    return this.#deps.store;
  }

  setPolicy(policy: AlertPolicy): void {
    this.#policy = policy;
  }

  /** Alerts in the picture. */
  shown(): Alert[] {
    return Array.from(this.#held.all(), ({ alert }) => alert);
  }

  /** The present state of a held alert. */
  get(id: string): Alert | undefined {
    return this.#held.get(id)?.alert;
  }

  /**
   * Restores the alerts of an earlier run, before anything is published. An alert whose cause does not exist any more is
   * cleared. The others stay until their cause is seen and no rule reports it again within a minute.
   */
  restore(nowMs: number): void {
    for (const { alert, key, notify } of this.#deps.store.open()) {
      const held = heldOf(alert, key, { notify, log: true }, nowMs);
      this.#held.add(held);
      if (alert.state === 'cleared') continue;
      this.#byKey.set(key, held);
      held.unsureUntilMs = nowMs + UNSURE_MS;
      this.#settleUnsure(held, nowMs);
    }
    this.#save(nowMs);
  }

  /** The core was restarted and reports continuing events again. */
  unsure(nowMs: number): void {
    for (const held of this.#byKey.values()) if (held.clearedMs === null) held.unsureUntilMs = nowMs + UNSURE_MS;
  }

  /** Takes the firings of rules, in their order. */
  take(firings: readonly Firing[], nowMs: number): void {
    for (const firing of firings) this.#takeOne(firing, nowMs);
    for (const held of this.#fresh.splice(0)) this.#publishRaised(held);
    this.#publishRoom();
    this.#save(nowMs);
  }

  /** Applies changes that come with time alone; call about once a second. */
  tick(nowMs: number): void {
    for (const held of [...this.#byKey.values()]) {
      if (held.clearedMs === null) {
        this.#settleUnsure(held, nowMs);
      } else if (nowMs - held.clearedMs >= this.#policy.cooldownS * 1000) this.#byKey.delete(held.key);
    }
    for (const held of [...this.#held.all()]) {
      const { alert, clearedMs } = held;
      if (clearedMs !== null && nowMs - clearedMs >= UNSEEN_MS[alert.severity]) this.#settle(held, nowMs, {});
    }
    this.#save(nowMs);
    if (nowMs >= this.#pruneDueMs) this.#prune(nowMs);
  }

  /** Updates an alert of before the start by its cause, until a rule reports it again. */
  #settleUnsure(held: Held, nowMs: number): void {
    if (held.unsureUntilMs === null) return;
    const cause = this.#deps.causeOf(held.alert);
    if (cause === 'unseen') held.unsureUntilMs = nowMs + UNSURE_MS;
    else if (cause === 'gone') this.#clear(held, nowMs, GONE);
    else if (cause === 'over') this.#clear(held, nowMs, RECOVERED);
    else if (nowMs >= held.unsureUntilMs) this.#clear(held, nowMs, AGAIN);
  }

  /** The row of an acknowledged alert. */
  keptAs(alert: Alert): KeptAlert {
    const held = this.#held.get(alert.id);
    return { alert, key: held?.key ?? '', notify: held?.notify ?? false };
  }

  /** Applies an acknowledgement that is on the disk. */
  saved(alert: Alert): void {
    const held = this.#held.get(alert.id);
    if (!held) return;
    const rank = severityRank(alert.severity);
    held.peak = { rank, count: alert.count, leftMs: null };
    this.#dirty.delete(alert.id);
    this.#held.change(held, alert);
    if (alert.settled_at !== null) this.#held.remove(held);
    this.#deps.publish(alert, ['alert_update']);
  }

  /** Writes all unsaved changes. */
  flush(nowMs: number): void {
    this.#urgent = this.#dirty.size > 0;
    this.#save(nowMs);
  }

  #takeOne(firing: Firing, nowMs: number): void {
    if (!firing.does.alert) {
      this.#passOn(firing, nowMs);
      return;
    }
    const held = this.#byKey.get(firing.key);
    if (held) held.unsureUntilMs = null;
    const goesOn = held !== undefined && held.clearedMs === null;
    if (goesOn) this.#publishRaised(held);
    if (firing.change === 'ended') {
      if (goesOn) this.#clear(held, nowMs, null, firing.text);
    } else if (goesOn) this.#change(held, firing, nowMs);
    else if (firing.change === 'changed') return;
    else if (held && nowMs - (held.clearedMs ?? 0) < this.#policy.cooldownS * 1000) this.#resume(held, firing, nowMs);
    else this.#raise(firing, nowMs);
  }

  /** Logs and notifies a firing of a rule that raises no alert. */
  #passOn({ change, ruleId, severity, text, subject, ...firing }: Firing, nowMs: number): void {
    if (firing.does.log && change !== 'changed')
      this.#deps.log(`rule.${change === 'ended' ? 'ended' : 'fired'}`, severity, text, subject);
    if (!firing.does.notify || change === 'changed') return;
    const { ruleVersion: rule_version, trackIds: track_ids, zoneId: zone_id, count } = firing;
    const body = { rule_id: ruleId, rule_version, change, severity, subject, text, track_ids, zone_id, count };
    this.#notices.push({ kind: 'firing', severity, at: this.#deps.timeText(nowMs), body });
    this.#urgent = true;
  }

  #raise(firing: Firing, nowMs: number): void {
    const at = this.#deps.timeText(nowMs);
    const alert: Alert = {
      id: this.#deps.newId(),
      rule_id: firing.ruleId,
      rule_version: firing.ruleVersion,
      severity: firing.severity,
      state: 'active',
      ...wordsOf(firing),
      raised_at: at,
      updated_at: at,
      escalated_at: null,
      acknowledged: null,
      cleared_at: null,
      cleared_reason: null,
      settled_at: null,
    };
    const held = heldOf(alert, firing.key, firing.does, nowMs);
    held.published = false;
    this.#held.add(held);
    this.#byKey.set(firing.key, held);
    this.#fresh.push(held);
    this.#makeRoom(held, nowMs);
  }

  /** Publishes a raised alert, unless it had to make room within its step: a flood would drown the rest. */
  #publishRaised(held: Held): void {
    if (held.published || this.#held.get(held.alert.id) !== held) return;
    held.published = true;
    const { alert } = held;
    this.#publish({ held, alert, kinds: ['alert', 'live_alert'], notice: 'alert' });
    if (held.log) this.#log('alert.raised', alert);
  }

  /** Continues the alert of an event that began again shortly after its end; it sounds only where it is worse. */
  #resume(held: Held, firing: Firing, nowMs: number): void {
    held.clearedMs = null;
    if (held.alert.settled_at !== null) this.#held.add(held);
    const { acknowledged } = held.alert;
    const state = acknowledged === null ? 'active' : 'acknowledged';
    const open = { ...held.alert, state, cleared_at: null, cleared_reason: null, settled_at: null } as const;
    this.#held.change(held, open);
    if (!this.#makeRoom(held, nowMs)) return;
    this.#change(held, firing, nowMs, true);
  }

  #change(held: Held, firing: Firing, nowMs: number, resumed = false): void {
    const was = held.alert;
    const rank = severityRank(firing.severity);
    held.notify ||= firing.does.notify;
    const worse = this.#isWorse(held, rank, firing.count, nowMs);
    const words = { ...was, severity: firing.severity, rule_version: firing.ruleVersion, ...wordsOf(firing) };
    if (!worse && !resumed && isSame(was, words)) return;
    const at = this.#deps.timeText(nowMs);
    if (!worse) {
      this.#publish({ held, alert: { ...words, updated_at: at }, kinds: ['alert_update'], notice: null }, resumed);
      return;
    }
    const sounds = was.acknowledged !== null || nowMs - held.soundedMs >= SOUND_EVERY_MS || rank > held.peak.rank;
    if (sounds) held.soundedMs = nowMs;
    held.peak = { rank, count: firing.count, leftMs: null };
    const alert: Alert = { ...words, state: 'active', acknowledged: null, updated_at: at, escalated_at: at };
    const kinds: AlertKind[] = sounds ? ['alert_update', 'live_alert'] : ['alert_update'];
    this.#publish({ held, alert, kinds, notice: sounds ? 'alert_update' : null });
    if (firing.does.log && sounds) this.#log('alert.worse', alert);
  }

  /** True where the alert is worse than its last peak. The peak is forgotten after a cool-down below it. */
  #isWorse(held: Held, rank: number, count: number, nowMs: number): boolean {
    const { peak } = held;
    if (peak.leftMs !== null && nowMs - peak.leftMs >= this.#policy.cooldownS * 1000) {
      const { severity, count: before } = held.alert;
      held.peak = { rank: severityRank(severity), count: before, leftMs: null };
    }
    const { peak: most } = held;
    if (rank > most.rank || (rank === most.rank && count > most.count)) return true;
    const isAtPeak = rank === most.rank && count === most.count;
    most.leftMs = isAtPeak ? null : (most.leftMs ?? nowMs);
    return false;
  }

  /** Clears an alert; without `words`, the log text is made of its subject and the reason. */
  #clear(held: Held, nowMs: number, reason: string | null, words: string | null = null): void {
    const at = this.#deps.timeText(nowMs);
    const { alert: was } = held;
    held.clearedMs = nowMs;
    held.unsureUntilMs = null;
    const settled_at = was.acknowledged === null ? null : at;
    const over = { state: 'cleared', cleared_at: at, cleared_reason: reason, updated_at: at, settled_at } as const;
    const alert: Alert = { ...was, ...over };
    this.#publish({ held, alert, kinds: ['alert_update'], notice: 'alert_update' });
    if (held.log)
      this.#log('alert.cleared', alert, words ?? `${was.rule_id}, ${was.subject.label}: ${reason ?? 'over'}`);
    if (settled_at !== null) this.#held.remove(held);
  }

  #settle(held: Held, nowMs: number, fields: Partial<Alert>): void {
    const at = this.#deps.timeText(nowMs);
    const alert: Alert = { ...held.alert, ...fields, settled_at: at, updated_at: at };
    this.#publish({ held, alert, kinds: ['alert_update'], notice: null });
    this.#held.remove(held);
  }

  /** Removes the least alerts beyond the limit. Returns whether the new one is still there. */
  #makeRoom(newcomer: Held, nowMs: number): boolean {
    while (this.#held.size > this.#policy.maxActive) {
      const least = this.#held.least();
      if (!least) return true;
      this.#madeRoom++;
      this.droppedCount++;
      if (this.#byKey.get(least.key) === least) this.#byKey.delete(least.key);
      if (least === newcomer || !least.published) {
        this.#held.remove(least);
        if (least === newcomer) return false;
        continue;
      }
      const at = this.#deps.timeText(nowMs);
      const isOver = least.alert.state === 'cleared';
      this.#settle(least, nowMs, isOver ? {} : { state: 'cleared', cleared_at: at, cleared_reason: ROOM });
    }
    return true;
  }

  #publishRoom(): void {
    if (this.#madeRoom === 0) return;
    const many = this.#madeRoom === 1 ? 'an alert' : `${this.#madeRoom} alerts`;
    const text = `${many} made room: no more than ${this.#policy.maxActive} are held at once`;
    this.#madeRoom = 0;
    this.#deps.log('alert.dropped', 'warning', text, { type: 'site', id: 'alerts', label: 'alerts' });
  }

  #publish({ held, alert, kinds, notice }: Step, urgent = true): void {
    this.#held.change(held, alert);
    this.#dirty.set(alert.id, held);
    if (urgent) this.#urgent = true;
    if (notice !== null && held.notify)
      this.#notices.push({ kind: notice, severity: alert.severity, at: alert.updated_at, body: alert });
    this.#deps.publish(alert, kinds);
  }

  #log(kind: string, { severity, text, subject }: Alert, words = text): void {
    this.#deps.log(kind, kind === 'alert.cleared' && severity !== 'info' ? 'notice' : severity, words, subject);
  }

  /** Writes changes to the disk. After a refusal the next call tries again; published alerts stay. */
  #save(nowMs: number): void {
    if (this.#dirty.size === 0 && this.#notices.length === 0) return;
    if (!this.#urgent && nowMs < this.#wordsDueMs) return;
    for (const id of this.#dirty.keys()) {
      if (this.#dirty.size <= MOST_WAITING) break;
      this.#dirty.delete(id);
    }
    const rows = Array.from(this.#dirty.values(), ({ alert, key, notify }) => ({ alert, key, notify }));
    try {
      this.#deps.store.save(rows, this.#notices);
    } catch (thrown) {
      this.#urgent = false;
      this.#deps.trouble(sentenceOf(thrown));
      this.#notices.splice(0, this.#notices.length - MOST_WAITING);
      this.#wordsDueMs = nowMs + WORDS_EVERY_MS;
      return;
    }
    this.#dirty = new Map();
    this.#notices = [];
    this.#urgent = false;
    this.#wordsDueMs = nowMs + WORDS_EVERY_MS;
  }

  #prune(nowMs: number): void {
    this.#pruneDueMs = nowMs + PRUNE_EVERY_MS;
    try {
      this.#deps.store.prune();
    } catch (thrown) {
      this.#deps.trouble(sentenceOf(thrown));
    }
  }
}
