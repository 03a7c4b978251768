import type { ClearedReason } from '../../model/alert.ts';
import type { AlertSeverity, AlertSubject, Firing } from '../../model/firing.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import { endText } from './ends.ts';
import type { EventFacts, Finder } from './evaluation.ts';
import type { SensorFact, TrackFacts, ZoneFact } from './facts.ts';
import { rankOf, type trustOf } from './standing.ts';

/**
 * While many events begin (a crowd), tracks join the latest event. Each must come within this time after the last new
 * member, ms.
 */
const JOIN_MS = 10_000;
/**
 * New members can join an event only for this time after its beginning, ms. Otherwise a transmitter of successive fakes
 * could keep it open, and a real aircraft would join it without an alert.
 */
const JOINS_FOR_MS = 60_000;
/**
 * Least intervals between updates of an event's text, ms: `MEMBERS_PUBLISHED_MS` after a change of its members, else
 * `WORDS_PUBLISHED_MS`. An event that gets worse is updated at once. A person acts by the distances
 * in the text of a critical alert, so they must be near the present ones.
 */
const MEMBERS_PUBLISHED_MS = 1_000;
const WORDS_PUBLISHED_MS = { critical: 3_000, other: 10_000 };
/**
 * An event gets worse if its severity rises, or if more members are present than at any earlier `raised` or `worse`
 * report: `TIMES_MORE` times as many, or `SO_MANY_MORE` more. The members that sensors detect are also compared by
 * themselves. Former members do not count, so a transmitter that changes its name each second makes no event worse.
 */
const TIMES_MORE = 2;
const SO_MANY_MORE = 5;
const MOST_IDS = 50;
const MOST_SEEN = 5_000;

const wordsEveryMs = (severity: AlertSeverity): number =>
  severity === 'critical' ? WORDS_PUBLISHED_MS.critical : WORDS_PUBLISHED_MS.other;

/** A track or sensor that a rule matches, or matched within the last seconds. */
export class Subject {
  id: string;
  label: string;
  /** Order among the subjects that begin an event in one evaluation; negative for sensors. */
  order = 0;
  groupId: string | null = null;
  /** Whether a sensor had detected the track before it joined its event, so that the track is more than a claim. */
  sensed = false;
  /** Trust that the track is own or neutral, as of the last match; see `trustOf`. */
  trust: ReturnType<typeof trustOf> = 0;
  /** Whether the track was lost at the last match. */
  isLost = false;
  /** Facts of the subject. Set only during the evaluation that matched the subject. */
  track: TrackFacts | null = null;
  sensor: SensorFact | null = null;
  zone: ZoneFact | null = null;
  sinceMs = Number.NaN;
  lastMs = Number.NaN;
  evaluation = -1;
  episode: Episode | null = null;
  /** Whether the subject's event was suppressed, because the cool-down of its previous event had not ended. */
  muted = false;

  constructor(id: string, label: string, order: number, nowMs: number) {
    this.id = id;
    this.label = label;
    this.order = order;
    this.sinceMs = this.lastMs = nowMs;
  }
}

/** Zone of an event; null if the rule does not refer to a zone. */
export type Place = { id: string; name: string } | null;

/** An event: it begins with a first subject that the rule matches, and ends when its last member has left. */
export class Episode {
  readonly key: string;
  readonly place: Place;
  readonly beganMs: number;
  /** Present members, in the order of joining. */
  readonly active = new Set<Subject>();
  /** Ids of present and former members, and of their groups; at most `MOST_SEEN` of each. */
  readonly seen = new Set<string>();
  readonly groups = new Set<string>();
  /**
   * Ids of members in `seen` that left because another event reports them, or because they turned out to be friends or
   * neutral. No cool-down prevents a new event about them.
   */
  readonly excused = new Set<string>();
  isFlood = false;
  #lastJoinMs: number;
  #moves = 0;
  #published: { severity: AlertSeverity; most: number; mostSensed: number; moves: number; atMs: number } | null = null;
  #last: Firing | null = null;
  /** Reason why the last member left. */
  #because: ClearedReason = 'left';
  #label = '';

  constructor(key: string, place: Place, nowMs: number) {
    this.key = key;
    this.place = place;
    this.beganMs = nowMs;
    this.#lastJoinMs = nowMs;
  }

  get severity(): AlertSeverity {
    return this.#published?.severity ?? 'info';
  }

  /** Whether a new member may join the event now. */
  joinsAt(nowMs: number): boolean {
    return nowMs - this.#lastJoinMs <= JOIN_MS && nowMs - this.beganMs <= JOINS_FOR_MS;
  }

  join(subject: Subject, nowMs: number): void {
    subject.episode = this;
    subject.muted = false;
    this.active.add(subject);
    if (!this.seen.has(subject.id)) this.#lastJoinMs = nowMs;
    if (this.seen.size < MOST_SEEN) this.seen.add(subject.id);
    this.excused.delete(subject.id);
    this.receiveGroup(subject.groupId);
    this.#moves++;
  }

  /** Records the group of a member; null for none. */
  receiveGroup(id: string | null): void {
    if (id !== null && this.groups.size < MOST_SEEN) this.groups.add(id);
  }

  /** Records that no cool-down follows for a member. */
  excuse(id: string): void {
    if (this.seen.has(id)) this.excused.add(id);
  }

  leave(subject: Subject, because: ClearedReason): void {
    subject.episode = null;
    this.#because = because;
    if (because === 'friend') this.excuse(subject.id);
    if (this.active.delete(subject)) this.#moves++;
  }

  /** Records that a member became another track, was lost, or reappeared, so that the text is updated. */
  moved(): void {
    this.#moves++;
  }

  /** Returns a report of the event if one is due, else null. `look` is the number of the present evaluation. */
  publish(rule: RuleValue, finder: Finder, severity: AlertSeverity, look: number, nowMs: number): Firing | null {
    const published = this.#published;
    const change = this.#changeOf(severity, nowMs);
    const due = change !== null || (published && nowMs - published.atMs >= wordsEveryMs(published.severity));
    if (!due) return null;
    const now = this.#now(look);
    if (now.length === 0) return null;
    const loudest = published && rankOf(published.severity) > rankOf(severity) ? published.severity : severity;
    const text = this.#say(finder, now);
    const [first] = now;
    const lastSeenMs = first?.track?.state === 'lost' ? first.track.lastSeenMs : null;
    const kind = change ?? (text === this.#last?.text ? null : 'changed');
    // An unchanged text is not reported; it is compared again at the next interval.
    const isCalled = kind === 'raised' || kind === 'worse';
    this.#published = {
      severity: loudest,
      most: Math.max(published?.most ?? 0, isCalled ? this.active.size : 0),
      mostSensed: Math.max(published?.mostSensed ?? 0, isCalled ? this.#sensed() : 0),
      moves: this.#moves,
      atMs: nowMs,
    };
    if (kind === null) return null;
    this.#last = { ...this.#firing(rule, kind, loudest, text, this.#subject(), nowMs), lastSeenMs };
    return this.#last;
  }

  end(rule: RuleValue, finder: Finder, nowMs: number, because: ClearedReason = this.#because): Firing | null {
    const last = this.#last;
    if (!last) return null;
    const { subject, trackIds } = last;
    const text = endText(subject.label, because, finder);
    const { lastSeenMs: _none, ...ended } = this.#firing(rule, 'ended', last.severity, text, subject, nowMs);
    return { ...ended, trackIds, because };
  }

  #changeOf(severity: AlertSeverity, nowMs: number): Firing['change'] | null {
    const last = this.#published;
    if (!last) return 'raised';
    const { size } = this.active;
    if (rankOf(severity) > rankOf(last.severity)) return 'worse';
    if (isMore(size, last.most) || isMore(this.#sensed(), last.mostSensed)) return 'worse';
    return this.#moves !== last.moves && nowMs - last.atMs >= MEMBERS_PUBLISHED_MS ? 'changed' : null;
  }

  #sensed(): number {
    let sensed = 0;
    for (const subject of this.active) if (subject.sensed) sensed++;
    return sensed;
  }

  #now(look: number): Subject[] {
    return [...this.active].filter((subject) => subject.evaluation === look);
  }

  #say(finder: Finder, now: readonly Subject[]): string {
    const tracks = now.flatMap(({ track }) => (track ? [track] : []));
    const sensors = now.flatMap(({ sensor }) => (sensor ? [sensor] : []));
    this.#label = this.#subject().label;
    const event: EventFacts = {
      tracks,
      sensors,
      zone: now[0]?.zone ?? null,
      isFlood: this.isFlood,
      label: this.#label,
    };
    return finder.say(event);
  }

  /**
   * Returns the subject of the report: the only member, if the event never had another; else the group, if all members
   * belong to one group; else the zone or the site.
   */
  #subject(): AlertSubject {
    const [first] = this.active;
    const several = this.active.size > 1 || this.seen.size > 1;
    if (first && !several) {
      return { type: first.order < 0 ? 'sensor' : 'track', id: first.id, label: first.label };
    }
    const [groupId] = this.groups;
    const isGroup = groupId !== undefined && [...this.active].every((subject) => subject.groupId === groupId);
    if (isGroup) return { type: 'group', id: groupId, label: `group of ${this.seen.size}` };
    const what = first && first.order < 0 ? 'sensors' : 'aircraft';
    const label = this.place ? `${this.seen.size} ${what} in ${this.place.name}` : `${this.seen.size} ${what}`;
    return this.place ? { type: 'zone', id: this.place.id, label } : { type: 'site', id: 'site', label };
  }

  #firing(
    rule: RuleValue,
    change: Firing['change'],
    severity: AlertSeverity,
    text: string,
    subject: AlertSubject,
    nowMs: number,
  ): Firing {
    const tracks = [...this.active].filter(({ order }) => order >= 0).map(({ id }) => id);
    return {
      key: this.key,
      ruleId: rule.id,
      ruleVersion: rule.version,
      change,
      severity,
      subject,
      text,
      trackIds: tracks.slice(0, MOST_IDS),
      zoneId: this.place?.id ?? null,
      count: this.seen.size,
      atMs: nowMs,
      does: rule.does,
    };
  }
}

function isMore(now: number, before: number): boolean {
  return now > before && (now >= before * TIMES_MORE || now >= before + SO_MANY_MORE);
}
