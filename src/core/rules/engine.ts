import { builtinRule } from '../../model/builtin_rules.ts';
import type { Firing } from '../../model/firing.ts';
import { type ThreatLevel, threatLevels } from '../../model/posture.ts';
import { placeOf } from '../../model/rule_condition.ts';
import type { RuleField } from '../../model/rule_fields.ts';
import type { LevelFloor, RuleCount, RuleValue } from '../../model/rule_value.ts';
import type { Span } from '../tracking/span.ts';
import { type Evaluation, nobody } from './evaluation.ts';
import type { AssetFact, Facts, SensorFact, TrackFacts } from './facts.ts';
import { Flood, isFake, isUnborne } from './flood.ts';
import { RuleRun } from './rule_run.ts';
import { trackWords } from './track_fields.ts';

/** Value, as text, of each track field that supports the operator `changed`. */
const read: Partial<Record<RuleField, (track: TrackFacts) => string>> = {
  ...trackWords,
  'track.identity': ({ identities }) =>
    identities
      .map(({ type, value }) => `${type} ${value}`)
      .sort()
      .join('\n'),
  'track.classification': ({ classification }) => classification[0]?.label ?? '',
};

/**
 * Finds the fields of tracks and sensors that changed since the previous evaluation. A new track or sensor has no
 * changed fields.
 */
class Changes {
  #fields: readonly RuleField[] = [];
  #before = new Map<string, readonly string[]>();
  #changed = new Map<string, readonly RuleField[]>();

  watch(fields: ReadonlySet<RuleField>): void {
    const next = [...fields].sort();
    if (next.join() === this.#fields.join()) return;
    this.#fields = next;
    this.#before.clear();
  }

  evaluate(tracks: readonly TrackFacts[], sensors: readonly SensorFact[]): void {
    this.#changed.clear();
    if (this.#fields.length === 0) return;
    const now = new Map<string, readonly string[]>();
    for (const track of tracks) this.#take(now, track.id, (field) => read[field]?.(track) ?? '');
    for (const sensor of sensors) this.#take(now, sensor.id, (field) => (field === 'sensor.state' ? sensor.state : ''));
    this.#before = now;
  }

  changed(id: string, field: RuleField): boolean {
    return this.#changed.get(id)?.includes(field) ?? false;
  }

  #take(now: Map<string, readonly string[]>, id: string, of: (field: RuleField) => string): void {
    const values = this.#fields.map(of);
    now.set(id, values);
    const before = this.#before.get(id);
    if (!before) return;
    const changed = this.#fields.filter((_, i) => before[i] !== values[i]);
    if (changed.length > 0) this.#changed.set(id, changed);
  }
}

export type Looked = { firings: Firing[]; floors: LevelFloor[] };

/**
 * The present flood of implausible aircraft. Its `members` are reported together in one event. Other rules report none
 * of the `hidden` tracks.
 */
export type FloodNow = { hidden: ReadonlySet<string>; members: ReadonlySet<string> };
const noFlood: FloodNow = { hidden: new Set(), members: new Set() };

const FLOOD_RULE = 'suspect_remote_id';

/**
 * A false claim usually contradicts itself within this time, ms. While a flood lasts, a track that no sensor sees may
 * be another fake until it is older.
 */
const PROBATION_MS = 6_000;

/**
 * Rules engine: takes facts about tracks and sensors, and returns firings, which are reports of events that begin,
 * change or end. The engine is pure: all times come with the facts, and the order of facts does not matter. Facts are
 * used only during the evaluation.
 */
export class RuleEngine {
  /** Rules sorted by id, so that results do not depend on the order in which the rules were set. */
  #runs: readonly RuleRun[] = [];
  #gone: readonly RuleRun[] = [];
  readonly #fakes = new Flood(isFake);
  readonly #crowd = new Flood(isUnborne);
  readonly #changes = new Changes();
  /** Time at which the present flood of suspect claims (`#fakes`) was detected, ms; NaN without one. */
  #floodedMs = Number.NaN;
  #asksForAssets = false;
  #asksHowFar = false;
  #counts: RuleCount[] = [];

  /** Replaces the rules. Events of deleted rules end at the next evaluation; events of the other rules continue. */
  set(rules: readonly RuleValue[]): void {
    const before = new Map(this.#runs.map((run) => [run.rule.id, run]));
    const sorted = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#runs = sorted.map((rule) => {
      const run = before.get(rule.id);
      before.delete(rule.id);
      run?.become(rule);
      return run ?? new RuleRun(rule);
    });
    this.#gone = [...this.#gone, ...before.values()];
    const conditions = sorted.flatMap((rule) => (rule.builtin === null ? (rule.when.all ?? rule.when.any ?? []) : []));
    const changing = conditions.filter(({ op }) => op === 'changed').map(({ field }) => field);
    this.#changes.watch(new Set<RuleField>(changing));
    this.#asksForAssets = conditions.some(({ op }) => op === 'within_m');
    this.#asksHowFar = conditions.some((condition) => 'zone_id' in (placeOf(condition) ?? {}));
    if (!this.#floodRule()) for (const flood of [this.#fakes, this.#crowd]) flood.end();
  }

  /** Whether any rule uses the distance of a track from a zone that the track is outside of. */
  get asksHowFar(): boolean {
    return this.#asksHowFar;
  }

  evaluate(facts: Facts): Looked {
    const { nowMs } = facts;
    const firings = this.#endGone(nowMs);
    const floors: LevelFloor[] = [];
    const all = [...facts.tracks].sort((a, b) => a.number - b.number);
    const sensors = [...facts.sensors].sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#changes.evaluate(all, sensors);
    const present = all.filter(isPresent);
    const received = present.filter(({ ignored, dismissed }) => !ignored && !dismissed);
    const flood = this.#floodOf(received, nowMs);
    const look = {
      ...this.#evaluationOf(nowMs, present, received, flood, sensors, facts.assets ?? []),
      zoneIds: facts.zoneIds,
      find: (id: string) => all.find((track) => track.id === id),
    };
    for (const run of this.#runs) run.evaluate(look, flood, firings, floors);
    return { firings, floors: highest(floors) };
  }

  /** Returns how many events each rule raised and suppressed since the last call, and resets the counts. */
  takeCounts(): RuleCount[] {
    const counts = [...this.#counts, ...this.#runs.flatMap((run) => run.takeCount() ?? [])];
    this.#counts = [];
    return counts;
  }

  /** Moves all state of track `from` to track `into`, because a merge showed that both are the same aircraft. */
  merged(from: string, into: string): void {
    for (const { lanes } of this.#runs) for (const lane of lanes) lane.rename(from, into);
  }

  /** Removes the state of a dropped track from all rules, except its cool-downs. */
  forget(id: string): void {
    for (const { lanes } of this.#runs) for (const lane of lanes) lane.forget(id);
  }

  /** Excludes `span` from the time for which rules have matched the track `id`. */
  leaveOut(id: string, span: Span): void {
    for (const { lanes } of this.#runs) for (const lane of lanes) lane.leaveOut(id, span);
  }

  #endGone(nowMs: number): Firing[] {
    const ended = this.#gone.flatMap((run) => run.end(nowMs));
    this.#counts.push(...this.#gone.flatMap((run) => run.takeCount() ?? []));
    this.#gone = [];
    return ended;
  }

  #floodRule(): RuleValue | undefined {
    return this.#runs.find(({ rule }) => rule.builtin === FLOOD_RULE)?.rule;
  }

  /**
   * Returns the present flood. It is empty if no enabled rule reports floods. Claims that are suspicious only because
   * there are so many of them are members, but are not hidden. While a flood lasts, new tracks that no sensor sees are
   * hidden for `PROBATION_MS`, until it is known whether they are fakes. Otherwise each fake would raise an alert in
   * its zone before it is detected.
   */
  #floodOf(received: readonly TrackFacts[], nowMs: number): FloodNow {
    const rule = this.#floodRule();
    if (!rule || rule.builtin === null) return noFlood;
    const facts = builtinRule(FLOOD_RULE)?.parameters ?? {};
    const of = (name: string): number => rule.parameters[name] ?? facts[name]?.default ?? Number.NaN;
    const windowMs = of('flood_window_s') * 1_000;
    const fakes = this.#fakes.evaluate(received, of('flood_n'), windowMs);
    const crowd = this.#crowd.evaluate(received, of('crowd_n'), windowMs);
    const { gone } = this.#fakes;
    const members = crowd.size === 0 ? fakes : new Set([...fakes, ...crowd]);
    if (fakes.size === 0) {
      this.#floodedMs = Number.NaN;
      return { hidden: gone, members };
    }
    if (Number.isNaN(this.#floodedMs)) this.#floodedMs = nowMs;
    const sinceMs = Math.max(this.#floodedMs, nowMs - PROBATION_MS);
    const waiting = received.filter((track) => track.firstSeenMs > sinceMs && isUnborne(track));
    return { hidden: new Set([...fakes, ...gone, ...waiting.map(({ id }) => id)]), members };
  }

  #evaluationOf(
    nowMs: number,
    present: readonly TrackFacts[],
    received: readonly TrackFacts[],
    { hidden, members }: FloodNow,
    sensors: readonly SensorFact[],
    assets: Iterable<AssetFact>,
  ): Omit<Evaluation, 'find'> {
    const tracks = hidden.size === 0 ? received : received.filter(({ id }) => !hidden.has(id));
    return {
      nowMs,
      tracks,
      present: hidden.size === 0 ? present : present.filter(({ id }) => !hidden.has(id)),
      dismissed: dismissedOf(present),
      flood: members.size === 0 ? [] : received.filter(({ id }) => members.has(id)),
      sensors,
      assets: new Map(this.#asksForAssets ? [...assets].map((asset) => [asset.id, asset]) : []),
      groups: groupsOf(tracks),
      changed: (id, field) => this.#changes.changed(id, field),
    };
  }
}

/** Whether rules evaluate the track. A tentative track may not exist, and a closed track is history. */
function isPresent({ state }: TrackFacts): boolean {
  return state !== 'tentative' && state !== 'closed';
}

function dismissedOf(present: readonly TrackFacts[]): ReadonlySet<string> {
  const dismissed = present.filter((track) => track.dismissed);
  return dismissed.length === 0 ? nobody : new Set(dismissed.map(({ id }) => id));
}

function groupsOf(tracks: readonly TrackFacts[]): ReadonlyMap<string, readonly TrackFacts[]> {
  const groups = new Map<string, TrackFacts[]>();
  for (const track of tracks) {
    if (track.groupId === null) continue;
    const group = groups.get(track.groupId);
    if (group) group.push(track);
    else groups.set(track.groupId, [track]);
  }
  return groups;
}

/** Returns the highest floor (lowest permitted threat level) of each track, sorted by track id. */
function highest(floors: readonly LevelFloor[]): LevelFloor[] {
  const of = new Map<string, LevelFloor>();
  for (const floor of floors) {
    const held = of.get(floor.trackId);
    if (!held || rank(floor.level) > rank(held.level)) of.set(floor.trackId, floor);
  }
  return [...of.values()].sort((a, b) => (a.trackId < b.trackId ? -1 : 1));
}

function rank(level: ThreatLevel): number {
  return threatLevels.indexOf(level);
}
