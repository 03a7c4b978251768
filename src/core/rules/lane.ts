import type { ClearedReason } from '../../model/alert.ts';
import type { AlertSeverity, Firing } from '../../model/firing.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import { leftOut, type Span } from '../tracking/span.ts';
import { Episode, type Place, Subject } from './episode.ts';
import { type Finder, nobody } from './evaluation.ts';
import type { SensorFact, TrackFacts, ZoneFact } from './facts.ts';
import { rankOf, trustOf } from './standing.ts';

/**
 * Time for which a subject (a track or sensor) stays in its event after the rule no longer matches it, ms. With a
 * shorter time alerts would flicker.
 */
const HOLD_MS = 5_000;

/**
 * After this number of events within `CROWD_MS`, further tracks join the latest event that accepts members (a crowd).
 * Dozens of simultaneous alerts would hide each other. The span is longer for tracks that no sensor detects: one
 * transmitter can invent an aircraft every few seconds.
 */
const MOST_SINGLE = 4;
const CROWD_MS = { sensed: 10_000, received: 60_000 } as const;

/** Greatest number of subjects in cool-down; the oldest entries are dropped first. */
const MOST_COOL = 10_000;
const FORGET_EVERY_MS = 1_000;

/** The list to which `Lane.settle` adds firings, and further inputs and callbacks of `settle`. */
export type Settled = {
  firings: Firing[];
  dismissed: ReadonlySet<string>;
  /** Returns why the rule no longer holds for a subject. */
  because(subject: Subject, zoneId: string | null): ClearedReason;
  fired(trackId: string | null): void;
  suppressed(): void;
};

type Cool = { untilMs: number; rank: number };

/**
 * All subjects (tracks and sensors) that one rule matches, and their events. A rule about zones has one lane for each
 * zone.
 */
export class Lane {
  readonly #place: Place;
  readonly #name: string;
  readonly #subjects = new Map<string, Subject>();
  #episodes: Episode[] = [];
  /** Cool-down of each track or group that had an event, by its id. */
  readonly #cool = new Map<string, Cool>();
  #zone: ZoneFact | null = null;
  /** Beginnings of events in the last minute. `sensed` tells whether a sensor had detected the first track. */
  #begun: { atMs: number; sensed: boolean }[] = [];
  #forgotMs = Number.NEGATIVE_INFINITY;

  constructor(ruleId: string, zone: ZoneFact | null) {
    this.#place = zone === null ? null : { id: zone.id, name: zone.name };
    this.#name = `${ruleId}:${zone?.id ?? '-'}`;
  }

  get isIdle(): boolean {
    return this.#subjects.size === 0 && this.#episodes.length === 0 && this.#cool.size === 0;
  }

  get subjects(): Iterable<Subject> {
    return this.#subjects.values();
  }

  /** Records that the rule matches a track. A lost track begins no event, but stays in its present event. */
  hitTrack(track: TrackFacts, zone: ZoneFact | null, look: number, nowMs: number): void {
    let subject = this.#subjects.get(track.id);
    if (track.state === 'lost' && !subject?.episode) return;
    if (!subject) {
      subject = new Subject(track.id, track.label, track.number, nowMs);
      this.#subjects.set(track.id, subject);
    }
    subject.track = track;
    subject.zone = zone;
    this.#zone = zone;
    subject.label = track.label;
    subject.order = track.number;
    subject.trust = trustOf(track);
    const isLost = track.state === 'lost';
    if (isLost !== subject.isLost) subject.episode?.moved();
    subject.isLost = isLost;
    if (!subject.episode) subject.sensed = track.cooperative !== 'coop_only';
    // A member of an event that is lost, or whose group dissolves, keeps its group: the event is still about the group.
    if (track.groupId !== null || !subject.episode) subject.groupId = track.groupId;
    subject.episode?.receiveGroup(track.groupId);
    subject.evaluation = look;
    subject.lastMs = nowMs;
  }

  hitSensor(sensor: SensorFact, index: number, look: number, nowMs: number): void {
    let subject = this.#subjects.get(sensor.id);
    if (!subject) {
      subject = new Subject(sensor.id, sensor.name, -1, nowMs);
      this.#subjects.set(sensor.id, subject);
    }
    subject.sensor = sensor;
    subject.label = sensor.name;
    subject.order = -1 - index;
    subject.evaluation = look;
    subject.lastMs = nowMs;
  }

  /**
   * Groups the matches of this evaluation into events, and reports changes of events. `excused` are ids of tracks that
   * the flood hides from this rule. `gang` are the members of the flood if this rule reports it. `look` is the number
   * of the evaluation.
   */
  settle(
    rule: RuleValue,
    finder: Finder,
    excused: ReadonlySet<string>,
    gang: ReadonlySet<string>,
    look: number,
    nowMs: number,
    to: Settled,
  ): void {
    if (this.#cool.size > 0 && nowMs - this.#forgotMs >= FORGET_EVERY_MS) this.#forgetCool(nowMs);
    this.#release(gang, look);
    const ripe = this.#sift(rule, excused, gang, look, nowMs, to);
    if (gang.size > 0) this.#gather(gang, look, nowMs);
    if (ripe.length > 1) ripe.sort((a, b) => (a.order < 0 ? b.order - a.order : a.order - b.order));
    const severity = finder.severity?.(this.#zone) ?? rule.severity;
    const isCrowd = finder.gathers || ripe.filter(isAlone).length > MOST_SINGLE;
    for (const subject of ripe) this.#raise(subject, severity, gang, isCrowd, nowMs, to);
    if (this.#episodes.length > 0) this.#publish(rule, finder, severity, look, nowMs, to);
    for (const subject of this.#subjects.values()) subject.track = subject.zone = subject.sensor = null;
    this.#zone = null;
  }

  /** Ends all events because the rule was changed or deleted. Tracks that it still matches can begin new ones at once. */
  end(rule: RuleValue, finder: Finder, nowMs: number): Firing[] {
    const ended = this.#episodes.flatMap((episode) => episode.end(rule, finder, nowMs, 'rule_changed') ?? []);
    for (const subject of this.#subjects.values()) subject.episode = null;
    this.#episodes = [];
    this.#begun = [];
    return ended;
  }

  /** Moves the state of track `from` to track `into`, which is the same aircraft. */
  rename(from: string, into: string): void {
    const subject = this.#subjects.get(from);
    const cool = this.#cool.get(from);
    if (cool && !this.#cool.has(into)) this.#cool.set(into, cool);
    if (!subject) return;
    this.#subjects.delete(from);
    subject.episode?.seen.add(into);
    subject.episode?.seen.delete(from);
    if (this.#subjects.has(into)) subject.episode?.leave(subject, 'merged');
    else {
      subject.id = into;
      subject.episode?.moved();
      this.#subjects.set(into, subject);
    }
  }

  forget(id: string): void {
    const subject = this.#subjects.get(id);
    if (!subject) return;
    subject.episode?.leave(subject, 'dismissed');
    this.#subjects.delete(id);
  }

  /** Excludes a span of time from the duration of a subject's match, unless the subject already has an event. */
  leaveOut(id: string, span: Span): void {
    const subject = this.#subjects.get(id);
    if (subject && !subject.episode) subject.sinceMs = leftOut(subject.sinceMs, span);
  }

  /**
   * Removes the subjects that the rule no longer matches; those with an event only after `HOLD_MS`, unless the flood
   * hides them. Returns the subjects that must get an event: matched ones without an event, if they matched for `forS`
   * or are in the flood.
   */
  #sift(
    rule: RuleValue,
    excused: ReadonlySet<string>,
    gang: ReadonlySet<string>,
    look: number,
    nowMs: number,
    to: Settled,
  ): Subject[] {
    const ripe: Subject[] = [];
    const forMs = rule.forS * 1_000;
    for (const subject of this.#subjects.values()) {
      if (subject.evaluation === look) {
        if (!subject.episode && (nowMs - subject.sinceMs >= forMs || gang.has(subject.id))) ripe.push(subject);
        continue;
      }
      const isExcused = excused.has(subject.id);
      if (isExcused) subject.episode?.excuse(subject.id);
      else if (subject.episode && nowMs - subject.lastMs < HOLD_MS) continue;
      const because = (): ClearedReason => (isExcused ? 'merged' : to.because(subject, this.#place?.id ?? null));
      subject.episode?.leave(subject, because());
      this.#subjects.delete(subject.id);
    }
    return ripe;
  }

  /**
   * Removes the tracks that left the flood from its event, such as those that a sensor now detects. When the flood is
   * over, the event continues as an ordinary one.
   */
  #release(gang: ReadonlySet<string>, look: number): void {
    const flood = this.#episodes.find(({ isFlood }) => isFlood);
    if (!flood) return;
    if (gang.size === 0) flood.isFlood = false;
    else
      for (const subject of flood.active) {
        if (subject.evaluation !== look || gang.has(subject.id)) continue;
        flood.leave(subject, 'merged');
        flood.excuse(subject.id);
      }
  }

  /**
   * Moves the members of the flood that have an event into one event: the flood's event, or else the event that already
   * has most of them.
   */
  #gather(gang: ReadonlySet<string>, look: number, nowMs: number): void {
    const members = [...this.#subjects.values()].filter(({ id, evaluation: seen }) => seen === look && gang.has(id));
    const bearers = new Map<Episode, number>();
    for (const { episode } of members) if (episode) bearers.set(episode, (bearers.get(episode) ?? 0) + 1);
    const flood =
      this.#episodes.find((episode) => episode.isFlood) ??
      [...bearers].sort(([a, x], [b, y]) => y - x || a.beganMs - b.beganMs || (a.key < b.key ? -1 : 1))[0]?.[0];
    if (!flood) return;
    flood.isFlood = true;
    for (const subject of members) {
      const { episode } = subject;
      if (!episode || episode === flood) continue;
      episode.leave(subject, 'merged');
      episode.excuse(subject.id);
      flood.join(subject, nowMs);
    }
  }

  #raise(
    subject: Subject,
    severity: AlertSeverity,
    gang: ReadonlySet<string>,
    isCrowd: boolean,
    nowMs: number,
    to: Settled,
  ): void {
    const isFake = gang.has(subject.id);
    const open = this.#openFor(subject, isFake, isCrowd, nowMs);
    if (open) {
      open.join(subject, nowMs);
      if (isFake) open.isFlood = true;
      return;
    }
    if (!isFake && this.#isCool(subject, severity, nowMs)) {
      if (!subject.muted) to.suppressed();
      subject.muted = true;
      return;
    }
    const episode = new Episode(this.#keyFor(subject), this.#place, nowMs);
    episode.isFlood = isFake;
    this.#begun = this.#begun.filter(({ atMs }) => nowMs - atMs <= CROWD_MS.received);
    this.#begun.push({ atMs: nowMs, sensed: subject.sensed });
    episode.join(subject, nowMs);
    this.#episodes.push(episode);
  }

  /**
   * Returns the open event that a subject joins: the event of its group, or else the event in which it was before. If
   * there is none and many events begin (a crowd), it joins the latest event that still accepts members. A member of
   * the flood joins only the flood's event.
   */
  #openFor(subject: Subject, isFake: boolean, isCrowd: boolean, nowMs: number): Episode | undefined {
    if (this.#episodes.length === 0) return undefined;
    const { groupId, id } = subject;
    if (isFake) return this.#episodes.find((episode) => episode.isFlood);
    // Each sensor has an event of its own, whose key contains the sensor's id. The key is thus the same after a
    // restart.
    if (subject.order < 0) return this.#episodes.find(({ seen }) => seen.has(id));
    const open = this.#episodes.filter((episode) => !episode.isFlood);
    return (
      open.find(({ groups }) => groupId !== null && groups.has(groupId)) ??
      open.find(({ seen }) => seen.has(id)) ??
      (isCrowd || this.#isCrowded(subject, nowMs) ? open.findLast((episode) => episode.joinsAt(nowMs)) : undefined)
    );
  }

  /** Whether so many events began recently that the next track joins a crowd. */
  #isCrowded({ sensed }: Subject, nowMs: number): boolean {
    const withinMs = sensed ? CROWD_MS.sensed : CROWD_MS.received;
    return this.#begun.filter((one) => one.sensed === sensed && nowMs - one.atMs <= withinMs).length >= MOST_SINGLE;
  }

  #isCool({ id, groupId }: Subject, severity: AlertSeverity, nowMs: number): boolean {
    const cool = this.#cool.get(id) ?? (groupId === null ? undefined : this.#cool.get(groupId));
    return cool !== undefined && nowMs < cool.untilMs && rankOf(severity) <= cool.rank;
  }

  #keyFor({ id, groupId }: Subject): string {
    let key = `${this.#name}:${groupId ?? id}`;
    while (this.#episodes.some((episode) => episode.key === key)) key += '+';
    return key;
  }

  #publish(rule: RuleValue, finder: Finder, severity: AlertSeverity, look: number, nowMs: number, to: Settled): void {
    let over = false;
    const dismissed = finder.evenDismissed ? nobody : to.dismissed;
    for (const episode of this.#episodes) {
      if (episode.active.size === 0) {
        over = true;
        const ended = episode.end(rule, finder, nowMs);
        if (ended) to.firings.push(ended);
        if (!(finder.evenCool && rule.does.alert)) this.#coolDown(episode, rule, nowMs, dismissed);
        continue;
      }
      const firing = episode.publish(rule, finder, severity, look, nowMs);
      if (!firing) continue;
      if (firing.change === 'raised') to.fired(firing.trackIds[0] ?? null);
      to.firings.push(firing);
    }
    if (over) this.#episodes = this.#episodes.filter(({ active }) => active.size > 0);
  }

  #forgetCool(nowMs: number): void {
    this.#forgotMs = nowMs;
    for (const [id, { untilMs }] of this.#cool) if (nowMs >= untilMs) this.#cool.delete(id);
    for (const id of this.#cool.keys()) {
      if (this.#cool.size <= MOST_COOL) return;
      this.#cool.delete(id);
    }
  }

  /**
   * Starts the cool-down of an ended event's members. A dismissed track gets no cool-down, so that it is reported at
   * once if the dismissal is revoked.
   */
  #coolDown(episode: Episode, rule: RuleValue, nowMs: number, dismissed: ReadonlySet<string>): void {
    if (rule.cooldownS <= 0) return;
    const cool = { untilMs: nowMs + rule.cooldownS * 1_000, rank: rankOf(episode.severity) };
    for (const id of episode.seen) if (!episode.excused.has(id) && !dismissed.has(id)) this.#cool.set(id, cool);
    const isWhole = episode.excused.size === 0 && ![...episode.seen].some((id) => dismissed.has(id));
    if (isWhole) for (const id of episode.groups) this.#cool.set(id, cool);
  }
}

function isAlone({ groupId, order }: Subject): boolean {
  return groupId === null && order >= 0;
}
