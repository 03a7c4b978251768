import type { AlertSeverity, AlertSubject, Firing } from '../../model/firing.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import type { SensorFact, TrackFacts, ZoneFact } from './facts.ts';
import { type Finder, nobody, type Told } from './look.ts';
import { rankOf } from './standing.ts';

/** Another who comes in so soon after the last belongs to the same event. */
const JOIN_MS = 10_000;
/** And for so long at most: who sends invented aircraft one after another must not hold an event open for a real one. */
const JOINS_FOR_MS = 60_000;
/** Words follow what happens: who is in it at once a second, everything else less often. */
const MEMBERS_TOLD_MS = 1_000;
const WORDS_TOLD_MS = 10_000;
/**
 * It is worse with twice as many at once as were told, or with so many more. Those who came and went do not count: a
 * sender that changes its name each second makes nothing worse.
 */
const TIMES_MORE = 2;
const SO_MANY_MORE = 5;
const MOST_IDS = 50;
const MOST_SEEN = 5_000;

/** One track or sensor of which a rule holds, or has held a moment ago. */
export type Subject = {
  id: string;
  label: string;
  /** By which those that come in one look are in order. */
  order: number;
  groupId: string | null;
  /** A sensor saw it when it came in: it is there, whatever is only heard. */
  sensed: boolean;
  /** Only within the look in which it was met. */
  track: TrackFacts | null;
  sensor: SensorFact | null;
  zone: ZoneFact | null;
  sinceMs: number;
  lastMs: number;
  look: number;
  episode: Episode | null;
  /** It would have been raised, and was not since that was so soon after the last. */
  muted: boolean;
};

/** What an event is about besides its members: the zone, where its rule is about one. */
export type Place = { id: string; name: string } | null;

/** One event: begun by the first of whom a rule holds, over when it holds of nobody any more. */
export class Episode {
  readonly key: string;
  readonly place: Place;
  readonly beganMs: number;
  /** In the order in which they came. */
  readonly active = new Set<Subject>();
  /** Everybody who is or was in it, and the groups that they were of. */
  readonly seen = new Set<string>();
  readonly groups = new Set<string>();
  /** Who was taken out of it since another event tells of them: nothing keeps those from being raised again. */
  readonly excused = new Set<string>();
  isFlood = false;
  #lastJoinMs: number;
  #moves = 0;
  #told: { severity: AlertSeverity; most: number; mostSensed: number; moves: number; atMs: number } | null = null;
  #last: Firing | null = null;
  #label = '';

  constructor(key: string, place: Place, nowMs: number) {
    this.key = key;
    this.place = place;
    this.beganMs = nowMs;
    this.#lastJoinMs = nowMs;
  }

  get severity(): AlertSeverity {
    return this.#told?.severity ?? 'info';
  }

  /** Whether somebody else who comes now belongs to it. */
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
    if (subject.groupId !== null) this.groups.add(subject.groupId);
    this.#moves++;
  }

  leave(subject: Subject): void {
    subject.episode = null;
    if (this.active.delete(subject)) this.#moves++;
  }

  /** What is to be told of it now, if anything. `look` is the number of this look. */
  tell(rule: RuleValue, finder: Finder, severity: AlertSeverity, look: number, nowMs: number): Firing | null {
    const told = this.#told;
    const change = this.#changeOf(severity, nowMs);
    const due = change !== null || (told && nowMs - told.atMs >= WORDS_TOLD_MS);
    if (!due) return null;
    const now = this.#now(look);
    if (now.length === 0) return null;
    const loudest = told && rankOf(told.severity) > rankOf(severity) ? told.severity : severity;
    const text = this.#say(finder, now);
    const kind = change ?? (text === this.#last?.text ? null : 'changed');
    // Of words that stayed the same is told, when nothing else changed, nothing; they are looked at again later.
    const isCalled = kind === 'raised' || kind === 'worse';
    this.#told = {
      severity: loudest,
      most: Math.max(told?.most ?? 0, isCalled ? this.active.size : 0),
      mostSensed: Math.max(told?.mostSensed ?? 0, isCalled ? this.#sensed() : 0),
      moves: this.#moves,
      atMs: nowMs,
    };
    if (kind === null) return null;
    this.#last = this.#firing(rule, kind, loudest, text, this.#subject(), nowMs);
    return this.#last;
  }

  end(rule: RuleValue, finder: Finder, nowMs: number, dismissed: ReadonlySet<string> = nobody): Firing | null {
    const last = this.#last;
    if (!last) return null;
    const { subject, trackIds } = last;
    const isDismissed = trackIds.length > 0 && trackIds.every((id) => dismissed.has(id));
    const text = isDismissed ? `${subject.label}: dismissed.` : finder.over(subject.label);
    return { ...this.#firing(rule, 'ended', last.severity, text, subject, nowMs), trackIds };
  }

  #changeOf(severity: AlertSeverity, nowMs: number): Firing['change'] | null {
    const told = this.#told;
    if (!told) return 'raised';
    const { size } = this.active;
    if (rankOf(severity) > rankOf(told.severity)) return 'worse';
    if (isMore(size, told.most) || isMore(this.#sensed(), told.mostSensed)) return 'worse';
    return this.#moves !== told.moves && nowMs - told.atMs >= MEMBERS_TOLD_MS ? 'changed' : null;
  }

  #sensed(): number {
    let sensed = 0;
    for (const subject of this.active) if (subject.sensed) sensed++;
    return sensed;
  }

  #now(look: number): Subject[] {
    return [...this.active].filter((subject) => subject.look === look);
  }

  #say(finder: Finder, now: readonly Subject[]): string {
    const tracks = now.flatMap(({ track }) => (track ? [track] : []));
    const sensors = now.flatMap(({ sensor }) => (sensor ? [sensor] : []));
    this.#label = this.#subject().label;
    const told: Told = {
      tracks,
      sensors,
      zone: now[0]?.zone ?? null,
      count: this.seen.size,
      isFlood: this.isFlood,
      label: this.#label,
    };
    return finder.say(told);
  }

  /** One is told of as itself, a group as one, several as what happens to the zone or the site. */
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

function isMore(now: number, told: number): boolean {
  return now > told && (now >= told * TIMES_MORE || now >= told + SO_MANY_MORE);
}
