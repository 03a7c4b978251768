import { type Alert, type AlertKind, severityRank } from '../../model/alert.ts';
import type { Severity } from '../../model/event.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { Firing } from '../../model/firing.ts';
import type { Notice } from '../../model/webhook.ts';
import type { KeptAlert } from '../../store/alerts.ts';
import type { AlertKeeper } from './keeper.ts';
import { AlertShelf, type Held } from './shelf.ts';

/** How alerts of a workspace are held, as its decision config says. */
export type AlertPolicy = { cooldownS: number; maxActive: number };

export type AlertBookRim = {
  keeper: AlertKeeper;
  newId(): string;
  /** The time of the world as RFC 3339. */
  timeText(worldMs: number): string;
  /** Tells an alert to those who watch, as each of these kinds. */
  tell(alert: Alert, kinds: readonly AlertKind[]): void;
  log(kind: string, severity: Severity, text: string, subject: Alert['subject']): void;
  /** The disk did not take what was to be kept. */
  trouble(sentence: string): void;
  /** How the cause of an alert is, which no rule has told of since the start. */
  causeOf(alert: Alert): Cause;
};

/**
 * `gone`: what it is about is not there any more; `over`: it is there and well; `unseen`: nothing shows how it is; `seen`:
 * the rules see it, and tell of it within a minute where it goes on.
 */
export type Cause = 'gone' | 'over' | 'unseen' | 'seen';

/** An alert that nobody saw and that is over stays in the picture: for a watch, or for half an hour where it is of little weight. */
const UNSEEN_MS = { info: 1_800_000, notice: 1_800_000, warning: 43_200_000, critical: 43_200_000 } as const;
/** After a start the core tells within this time of what still goes on. */
const UNSURE_MS = 60_000;
/** Where only the number of aircraft grows, a console sounds so often at most. */
const SOUND_EVERY_MS = 10_000;
/** Words alone are written to the disk so often at most. */
const WORDS_EVERY_MS = 5_000;
/** A disk that refuses for long costs what waits for it beyond so many, the oldest first. */
const MOST_WAITING = 10_000;
const PRUNE_EVERY_MS = 600_000;

const AGAIN = 'the service was started again, and this was not seen since';
const GONE = 'the service was started again, and what this is about is not there any more';
const RECOVERED = 'recovered';
const ROOM = 'it made room for alerts that matter more';

type Step = { held: Held; alert: Alert; kinds: AlertKind[]; notice: Notice['kind'] | null };

/**
 * The alerts of a world: one for each event, from its beginning to its end. It sounds when it is raised and when it gets
 * worse than whoever acknowledged it has seen; that it is over is told once. All time is handed in.
 */
export class AlertBook {
  readonly #rim: AlertBookRim;
  readonly #shelf = new AlertShelf();
  /** By event: those that go on, and those that ended a short while ago. */
  readonly #byKey = new Map<string, Held>();
  #policy: AlertPolicy = { cooldownS: 60, maxActive: 500 };
  #dirty = new Map<string, Held>();
  /** Raised in this step. */
  readonly #fresh: Held[] = [];
  #notices: Notice[] = [];
  /** Something that must not be lost waits for the disk. */
  #urgent = false;
  #wordsDueMs = 0;
  #pruneDueMs = PRUNE_EVERY_MS;
  #madeRoom = 0;
  /** Alerts that made room for others, since the start. */
  droppedCount = 0;

  constructor(rim: AlertBookRim) {
    this.#rim = rim;
  }

  get keeper(): AlertKeeper {
    return this.#rim.keeper;
  }

  setPolicy(policy: AlertPolicy): void {
    this.#policy = policy;
  }

  /** What the picture shows. */
  shown(): Alert[] {
    return Array.from(this.#shelf.all(), ({ alert }) => alert);
  }

  /** As it is now, where it is at hand. */
  get(id: string): Alert | undefined {
    return this.#shelf.get(id)?.alert;
  }

  /**
   * Takes up what an earlier run left, before anything is told. An alert whose cause is not there any more is over. The
   * others stay until their cause is seen and no rule tells of it again within a minute.
   */
  restore(nowMs: number): void {
    for (const { alert, key, notify } of this.#rim.keeper.open()) {
      const held = heldOf(alert, key, { notify, log: true }, nowMs);
      this.#shelf.add(held);
      if (alert.state === 'cleared') continue;
      this.#byKey.set(key, held);
      held.unsureUntilMs = nowMs + UNSURE_MS;
      this.#settleUnsure(held, nowMs);
    }
    this.#save(nowMs);
  }

  /** The core was started again and tells anew of what goes on. */
  unsure(nowMs: number): void {
    for (const held of this.#byKey.values()) if (held.clearedMs === null) held.unsureUntilMs = nowMs + UNSURE_MS;
  }

  /** What rules tell, in their order. */
  take(firings: readonly Firing[], nowMs: number): void {
    for (const firing of firings) this.#takeOne(firing, nowMs);
    for (const held of this.#fresh.splice(0)) this.#tellRaised(held);
    this.#tellOfRoom();
    this.#save(nowMs);
  }

  /** What comes with time alone; call about once a second. */
  tick(nowMs: number): void {
    for (const held of [...this.#byKey.values()]) {
      if (held.clearedMs === null) {
        this.#settleUnsure(held, nowMs);
      } else if (nowMs - held.clearedMs >= this.#policy.cooldownS * 1000) this.#byKey.delete(held.key);
    }
    for (const held of [...this.#shelf.all()]) {
      const { alert, clearedMs } = held;
      if (clearedMs !== null && nowMs - clearedMs >= UNSEEN_MS[alert.severity]) this.#settle(held, nowMs, {});
    }
    this.#save(nowMs);
    if (nowMs >= this.#pruneDueMs) this.#prune(nowMs);
  }

  /** An alert of before the start goes by what is seen of its cause, until a rule tells of it again. */
  #settleUnsure(held: Held, nowMs: number): void {
    if (held.unsureUntilMs === null) return;
    const cause = this.#rim.causeOf(held.alert);
    if (cause === 'unseen') held.unsureUntilMs = nowMs + UNSURE_MS;
    else if (cause === 'gone') this.#clear(held, nowMs, GONE);
    else if (cause === 'over') this.#clear(held, nowMs, RECOVERED);
    else if (nowMs >= held.unsureUntilMs) this.#clear(held, nowMs, AGAIN);
  }

  /** As the disk is to keep an alert that somebody has seen. */
  keptAs(alert: Alert): KeptAlert {
    const held = this.#shelf.get(alert.id);
    return { alert, key: held?.key ?? '', notify: held?.notify ?? false };
  }

  /** Somebody has seen it, and that stands on the disk: it holds from now on. */
  saved(alert: Alert): void {
    const held = this.#shelf.get(alert.id);
    if (!held) return;
    const rank = severityRank(alert.severity);
    held.peak = { rank, count: alert.count, leftMs: null };
    this.#dirty.delete(alert.id);
    this.#shelf.change(held, alert);
    if (alert.settled_at !== null) this.#shelf.remove(held);
    this.#rim.tell(alert, ['alert_update']);
  }

  /** Whatever waits is written. */
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
    if (goesOn) this.#tellRaised(held);
    if (firing.change === 'ended') {
      if (goesOn) this.#clear(held, nowMs, null, firing.text);
    } else if (goesOn) this.#change(held, firing, nowMs);
    else if (firing.change === 'changed') return;
    else if (held && nowMs - (held.clearedMs ?? 0) < this.#policy.cooldownS * 1000) this.#resume(held, firing, nowMs);
    else this.#raise(firing, nowMs);
  }

  /** A rule that raises no alert. */
  #passOn({ change, ruleId, severity, text, subject, ...firing }: Firing, nowMs: number): void {
    if (firing.does.log && change !== 'changed')
      this.#rim.log(`rule.${change === 'ended' ? 'ended' : 'fired'}`, severity, text, subject);
    if (!firing.does.notify || change === 'changed') return;
    const { ruleVersion: rule_version, trackIds: track_ids, zoneId: zone_id, count } = firing;
    const body = { rule_id: ruleId, rule_version, change, severity, subject, text, track_ids, zone_id, count };
    this.#notices.push({ kind: 'firing', severity, at: this.#rim.timeText(nowMs), body });
    this.#urgent = true;
  }

  #raise(firing: Firing, nowMs: number): void {
    const at = this.#rim.timeText(nowMs);
    const alert: Alert = {
      id: this.#rim.newId(),
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
    held.told = false;
    this.#shelf.add(held);
    this.#byKey.set(firing.key, held);
    this.#fresh.push(held);
    this.#makeRoom(held, nowMs);
  }

  /** Of those that a step raised, the ones that had to make room at once are told to nobody: they would drown the rest. */
  #tellRaised(held: Held): void {
    if (held.told || this.#shelf.get(held.alert.id) !== held) return;
    held.told = true;
    const { alert } = held;
    this.#tell({ held, alert, kinds: ['alert', 'live_alert'], notice: 'alert' });
    if (held.log) this.#log('alert.raised', alert);
  }

  /** The event began again a moment after it had ended: it is the same alert, and sounds only where it is worse. */
  #resume(held: Held, firing: Firing, nowMs: number): void {
    held.clearedMs = null;
    if (held.alert.settled_at !== null) this.#shelf.add(held);
    const { acknowledged } = held.alert;
    const state = acknowledged === null ? 'active' : 'acknowledged';
    const open = { ...held.alert, state, cleared_at: null, cleared_reason: null, settled_at: null } as const;
    this.#shelf.change(held, open);
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
    const at = this.#rim.timeText(nowMs);
    if (!worse) {
      this.#tell({ held, alert: { ...words, updated_at: at }, kinds: ['alert_update'], notice: null }, resumed);
      return;
    }
    const sounds = was.acknowledged !== null || nowMs - held.soundedMs >= SOUND_EVERY_MS || rank > held.peak.rank;
    if (sounds) held.soundedMs = nowMs;
    held.peak = { rank, count: firing.count, leftMs: null };
    const alert: Alert = { ...words, state: 'active', acknowledged: null, updated_at: at, escalated_at: at };
    const kinds: AlertKind[] = sounds ? ['alert_update', 'live_alert'] : ['alert_update'];
    this.#tell({ held, alert, kinds, notice: sounds ? 'alert_update' : null });
    if (firing.does.log && sounds) this.#log('alert.worse', alert);
  }

  /** Whether it is worse than anybody was called to. What it was before is forgotten once it was less for a cool-down. */
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

  /** `words` say that it is over; where nobody has any, what it is about and the reason do. */
  #clear(held: Held, nowMs: number, reason: string | null, words: string | null = null): void {
    const at = this.#rim.timeText(nowMs);
    const { alert: was } = held;
    held.clearedMs = nowMs;
    held.unsureUntilMs = null;
    const settled_at = was.acknowledged === null ? null : at;
    const over = { state: 'cleared', cleared_at: at, cleared_reason: reason, updated_at: at, settled_at } as const;
    const alert: Alert = { ...was, ...over };
    this.#tell({ held, alert, kinds: ['alert_update'], notice: 'alert_update' });
    if (held.log)
      this.#log('alert.cleared', alert, words ?? `${was.rule_id}, ${was.subject.label}: ${reason ?? 'over'}`);
    if (settled_at !== null) this.#shelf.remove(held);
  }

  #settle(held: Held, nowMs: number, fields: Partial<Alert>): void {
    const at = this.#rim.timeText(nowMs);
    const alert: Alert = { ...held.alert, ...fields, settled_at: at, updated_at: at };
    this.#tell({ held, alert, kinds: ['alert_update'], notice: null });
    this.#shelf.remove(held);
  }

  /** The least of all goes where there are too many. Returns whether the one that came is still there. */
  #makeRoom(newcomer: Held, nowMs: number): boolean {
    while (this.#shelf.size > this.#policy.maxActive) {
      const least = this.#shelf.least();
      if (!least) return true;
      this.#madeRoom++;
      this.droppedCount++;
      if (this.#byKey.get(least.key) === least) this.#byKey.delete(least.key);
      if (least === newcomer || !least.told) {
        this.#shelf.remove(least);
        if (least === newcomer) return false;
        continue;
      }
      const at = this.#rim.timeText(nowMs);
      const isOver = least.alert.state === 'cleared';
      this.#settle(least, nowMs, isOver ? {} : { state: 'cleared', cleared_at: at, cleared_reason: ROOM });
    }
    return true;
  }

  #tellOfRoom(): void {
    if (this.#madeRoom === 0) return;
    const many = this.#madeRoom === 1 ? 'an alert' : `${this.#madeRoom} alerts`;
    const text = `${many} made room: no more than ${this.#policy.maxActive} are held at once`;
    this.#madeRoom = 0;
    this.#rim.log('alert.dropped', 'warning', text, { type: 'site', id: 'alerts', label: 'alerts' });
  }

  #tell({ held, alert, kinds, notice }: Step, urgent = true): void {
    this.#shelf.change(held, alert);
    this.#dirty.set(alert.id, held);
    if (urgent) this.#urgent = true;
    if (notice !== null && held.notify)
      this.#notices.push({ kind: notice, severity: alert.severity, at: alert.updated_at, body: alert });
    this.#rim.tell(alert, kinds);
  }

  #log(kind: string, { severity, text, subject }: Alert, words = text): void {
    this.#rim.log(kind, kind === 'alert.cleared' && severity !== 'info' ? 'notice' : severity, words, subject);
  }

  /** A disk that refuses is asked again with the next: what was told stays told. */
  #save(nowMs: number): void {
    if (this.#dirty.size === 0 && this.#notices.length === 0) return;
    if (!this.#urgent && nowMs < this.#wordsDueMs) return;
    for (const id of this.#dirty.keys()) {
      if (this.#dirty.size <= MOST_WAITING) break;
      this.#dirty.delete(id);
    }
    const rows = Array.from(this.#dirty.values(), ({ alert, key, notify }) => ({ alert, key, notify }));
    try {
      this.#rim.keeper.save(rows, this.#notices);
    } catch (thrown) {
      this.#urgent = false;
      this.#rim.trouble(sentenceOf(thrown));
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
      this.#rim.keeper.prune();
    } catch (thrown) {
      this.#rim.trouble(sentenceOf(thrown));
    }
  }
}

function heldOf(alert: Alert, key: string, does: { notify: boolean; log: boolean }, nowMs: number): Held {
  const { notify, log } = does;
  const peak = { rank: severityRank(alert.severity), count: alert.count, leftMs: null };
  const clearedMs = alert.state === 'cleared' ? nowMs : null;
  return { alert, key, notify, log, told: true, peak, soundedMs: nowMs, clearedMs, unsureUntilMs: null };
}

function wordsOf({ subject, text, trackIds, zoneId, count }: Firing) {
  return { subject, text, track_ids: [...trackIds], zone_id: zoneId, count };
}

function isSame(a: Alert, b: Alert): boolean {
  const { severity, text, count, zone_id, subject, track_ids } = a;
  return (
    severity === b.severity &&
    text === b.text &&
    count === b.count &&
    zone_id === b.zone_id &&
    subject.id === b.subject.id &&
    subject.label === b.subject.label &&
    track_ids.length === b.track_ids.length &&
    track_ids.every((id, at) => id === b.track_ids[at])
  );
}
