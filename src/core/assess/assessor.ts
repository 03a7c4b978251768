import type { AssessedThreat, Assessment, TrackWord } from '../../model/assessment.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { idOf } from '../../model/ids.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import { AREA, AREA_HEAD, TRACK } from '../../model/rows/layouts.ts';
import { ROW_WIDTH, type TrackRemoval } from '../../model/track_row.ts';
import { Site } from '../site/site.ts';
import type { TrackRows } from '../site/track_zones.ts';
import { ZoneWatch } from '../site/zone_watch.ts';
import { capped, levelOf, scoresAlike } from '../threat/levels.ts';
import { Situation } from '../threat/situation.ts';
import { ThreatScorer } from '../threat/threat_scorer.ts';
import { type AreaRows, Areas } from '../tracking/areas.ts';
import type { Span } from '../tracking/span.ts';
import type { TrackRecord } from '../tracks/track_record.ts';
import { AreaRelations } from './area_relations.ts';
import { Company } from './company.ts';
import { type AssessPolicy, type AssessSite, emptySite } from './configuration.ts';
import { describeFacts, moveFacts } from './facts_of.ts';
import { NearestApproaches } from './nearest_approaches.ts';
import { Operators } from './operators.ts';
import { isDue, matters, threatDue, threatOf } from './publishing.ts';
import { RuleEvaluation } from './rule_evaluation.ts';
import { Scorer } from './scorer.ts';
import { type Surroundings, situate } from './situate.ts';
import { isTurning, Watched } from './watched.ts';

/**
 * Interval at which tracks without changes are scored, ms. This is necessary because some factors change merely with
 * time.
 */
const EVALUATION_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 250;
const COMPANY_EVERY_MS = 1_000;
/** Most tracks that one step assesses. After a radar scan, which moves all tracks, the next steps assess the rest. */
const MOST_A_STEP = 100;
/**
 * A step in which more than `MANY_MOVED` tracks moved assesses only `MOST_IN_SUCH` tracks, because it has much other
 * work.
 */
const MANY_MOVED = 300;
const MOST_IN_SUCH = 20;
const NEXT_STEP_MS = 5;
/** Interval at which dwell times advance, ms. */
const STAY_EVERY_MS = 100;
/**
 * Added to the key of a group before its id is derived. The sum is above any track number, so no group gets the id of a
 * track.
 */
const GROUPS_FROM = 2 ** 40;
const nothing: TrackRows = { rows: new Float64Array(0), from: 0, measured: 0, contained: 0, more: 0 };

/** Measures the `chosen` tracks, which are sorted by number, against the areas, as of `nowS`, s. */
export type Measure = (areas: Areas, chosen: readonly Watched[], nowS: number, horizonS: number) => AreaRows;

/**
 * Scores and explains tracks. Tracks that moved or changed are assessed in the next steps, at most `MOST_A_STEP` in one
 * step; other tracks about once a second. Returns the changes to publish.
 */
export class Assessor {
  readonly #maxTracks: number;
  readonly #seed: Uint8Array;
  readonly #areas: Areas;
  readonly #operators: Operators;
  readonly #company = new Company();
  readonly #site = new Site();
  readonly #zones = new ZoneWatch();
  readonly #scorer = new Scorer();
  readonly #nearest = new NearestApproaches();
  readonly #watched = new Map<number, Watched>();
  readonly #words = new Map<number, TrackWord>();
  /** Rule evaluation, which raises alerts. */
  readonly rules = new RuleEvaluation();
  #dirty: Watched[] = [];
  #about: Omit<AssessSite, 'plan'> = emptySite;
  #nowMs = 0;
  #waits = false;
  /** Number of tracks that moved since the last assessment. */
  #moved = 0;
  #companyMs = Number.NEGATIVE_INFINITY;
  #sweptMs = Number.NEGATIVE_INFINITY;
  #stayedMs = Number.NEGATIVE_INFINITY;
  #cleared: Assessment['cleared'] = [];

  constructor(maxTracks: number, seed: Uint8Array) {
    this.#maxTracks = maxTracks;
    this.#seed = seed;
    this.#areas = new Areas(maxTracks);
    this.#operators = new Operators(this.#areas);
  }

  /** Sets the policy. Each track uses it from its next assessment on. */
  setPolicy(policy: AssessPolicy): void {
    this.#scorer.policy = policy;
    this.#evaluateAll();
  }

  /** Replaces the site that tracks are measured against. */
  setSite({ plan, ...about }: AssessSite): void {
    this.#about = about;
    this.#site.set(plan);
    this.rules.setAssets(plan.assets);
    this.#evaluateAll();
  }

  receiveWords(words: readonly TrackWord[]): void {
    for (const word of words) {
      const watched = this.#watched.get(word.number);
      if (!watched) this.#keepWord(word);
      else {
        if (watched.isHeldBack) this.rules.note(true);
        const span = watched.receive(word, this.#nowMs);
        if (span) this.#leaveOut(watched, span);
        this.#mark(watched);
      }
    }
  }

  /**
   * Excludes the time `span`, in which a track was a friend by telemetry or assignment. It counts neither for dwell
   * times in zones nor for durations that rules require.
   */
  #leaveOut({ number, record }: Watched, span: Span): void {
    this.#zones.of(number)?.leaveOut(span);
    this.rules.engine.leaveOut(record.id, span);
  }

  /**
   * Stores a `TrackWord` (decision about a track) whose track the assessor does not know: after a start the track may
   * not exist yet, or it has just ended. Beyond `#maxTracks` words, the oldest is dropped.
   */
  #keepWord(word: TrackWord): void {
    this.#words.delete(word.number);
    this.#words.set(word.number, word);
    if (this.#words.size <= this.#maxTracks) return;
    const [oldest] = this.#words.keys();
    if (oldest !== undefined) this.#words.delete(oldest);
  }

  /**
   * Takes rows of tracks that moved or changed state. `count` is the number of such tracks, including those whose rows
   * follow in later steps.
   */
  moved(
    rows: Float64Array,
    recordOf: (number: number) => TrackRecord | undefined,
    count = rows.length / ROW_WIDTH,
  ): void {
    this.#moved += count;
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const record = recordOf(rows[at + TRACK.number] ?? 0);
      if (record) this.#watch(record).take(rows, at);
    }
  }

  /** Takes a changed description of a track. */
  described(record: TrackRecord): void {
    describeFacts(this.#watch(record));
  }

  /** Removes an ended track. If the track was merged, the remaining track takes over its zone visits and alerts. */
  forget(removal: Pick<TrackRemoval, 'number' | 'reason' | 'into'>): void {
    const { number } = removal;
    this.#operators.forget(number);
    this.#nearest.forget(number, this.#nowMs);
    this.#words.delete(number);
    this.#zones.remove(removal, this.#nowMs);
    const watched = this.#watched.get(number);
    if (!watched) return;
    if (removal.into !== undefined) this.rules.engine.merged(watched.record.id, removal.into);
    else if (removal.reason === 'dropped') this.rules.engine.forget(watched.record.id);
    this.rules.note(false);
    this.#watched.delete(number);
    if (watched.isDirty) this.#dirty.splice(this.#dirty.indexOf(watched), 1);
    if (watched.published) this.#cleared.push({ number, trackId: watched.record.id });
  }

  evaluate(measure: Measure, nowMs: number): Assessment {
    this.#nowMs = nowMs;
    this.#followSite(nowMs);
    const groups = this.#evaluateCompany(nowMs);
    this.#sweep(nowMs);
    this.#zones.followsFar = this.rules.engine.asksHowFar;
    const threats = this.#assess(measure, nowMs);
    this.#stay(nowMs);
    const zoneEvents = this.#zones.takeEvents();
    if (zoneEvents.length > 0) this.rules.note(true);
    const firings = this.rules.ask(this.#watched, nowMs, this.isBehind, (watched) => this.#mark(watched));
    const cleared = this.#cleared;
    this.#cleared = [];
    const [counts, nearest] = [this.rules.engine.takeCounts(), this.#nearest.takeDue()];
    return { threats, cleared, groups, zoneEvents, firings, counts, nearest };
  }

  /** Whether more changed tracks wait than one step assesses, or the last step left some out. */
  get isBehind(): boolean {
    return this.#dirty.length > MOST_A_STEP || this.#waits;
  }

  /** Time at which the next assessment is due even without a new observation, ms; infinite if none is. */
  get dueMs(): number {
    return Math.min(this.rules.dueMs, this.#waits ? this.#nowMs + NEXT_STEP_MS : Number.POSITIVE_INFINITY);
  }

  /** Scores tracks under another policy; their scores and levels stay. `numbers` null means all tracks. */
  preview(measure: Measure, nowMs: number, preview: AssessPolicy, numbers: readonly number[] | null): AssessedThreat[] {
    const { policy, version } = preview;
    const all = numbers ? numbers.flatMap((number) => this.#watched.get(number) ?? []) : [...this.#watched.values()];
    const chosen = [...new Set(all)].sort((a, b) => a.number - b.number);
    const around = this.#surroundings(nowMs, policy);
    const alike = scoresAlike(policy, this.#scorer.policy.policy);
    const threats: AssessedThreat[] = [];
    const scorer = new ThreatScorer();
    const relations = new AreaRelations(scorer.areas);
    const situation = new Situation('');
    this.#measure(measure, nowMs, chosen, policy, (watched, own) => {
      const [zones, pilot] = [this.#zones.of(watched.number), this.#operators.distancesOf(watched.number)];
      relations.take(this.#site.protectedAreas, own, watched, { zones, pilot, nowMs });
      situate(watched, relations.all(policy), around, situation);
      const explained = scorer.explain(situation, policy);
      const anew = (): ThreatLevel => watched.atLeast(capped(levelOf(explained.score, policy.levels), situation));
      const level = alike ? watched.level : anew();
      const { peakScore, firstMs } = watched.course ?? { peakScore: 0, firstMs: nowMs };
      const course = { level, trend: 'steady' as const, peakScore: Math.max(peakScore, explained.score), firstMs };
      threats.push(threatOf(watched, explained, course, version));
    });
    return threats;
  }

  #watch(record: TrackRecord): Watched {
    let watched = this.#watched.get(record.number);
    if (!watched) {
      watched = new Watched(record);
      const word = this.#words.get(record.number);
      if (word) watched.receive(word, this.#nowMs);
      this.#words.delete(record.number);
      this.#watched.set(record.number, watched);
    }
    this.#mark(watched);
    return watched;
  }

  #evaluateAll(): void {
    for (const watched of this.#watched.values()) this.#mark(watched);
  }

  /** Marks a track for assessment. */
  #mark(watched: Watched): void {
    if (watched.isDirty) return;
    watched.isDirty = true;
    this.#dirty.push(watched);
  }

  /** Applies changes of the site, if there are any: people edit zones, and schedules make zones active or inactive. */
  #followSite(nowMs: number): void {
    const site = this.#site;
    const { proximity_far_m: nearM, open_ceiling_m: openCeilingM } = this.#scorer.policy.policy.curves;
    if (!site.update(nowMs + this.#about.utcOffsetMs, nearM, openCeilingM)) return;
    this.#areas.set(site.protectedAreas.map(({ value }) => value));
    this.#zones.set(site.protectedAreas, nowMs);
    this.rules.setZones(new Set(site.protectedAreas.flatMap(({ id, kind }) => (kind === 'zone' ? [id] : []))));
    this.#operators.clear();
    this.#evaluateAll();
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_EVERY_MS) return;
    this.#sweptMs = nowMs;
    for (const watched of this.#watched.values())
      if (nowMs - watched.lookedMs >= EVALUATION_EVERY_MS || isTurning(watched)) this.#mark(watched);
  }

  #stay(nowMs: number): void {
    if (nowMs - this.#stayedMs < STAY_EVERY_MS) return;
    this.#stayedMs = nowMs;
    this.#zones.tick(nowMs);
  }

  #evaluateCompany(nowMs: number): Assessment['groups'] {
    const sinceMs = nowMs - this.#companyMs;
    if (sinceMs < COMPANY_EVERY_MS || (this.isBehind && sinceMs < 3 * COMPANY_EVERY_MS)) return [];
    this.#companyMs = nowMs;
    const groups: Assessment['groups'] = [];
    for (const { watched, wasKey } of this.#company.evaluate(this.#watched)) {
      this.#mark(watched);
      if (wasKey === (watched.group?.key ?? 0)) continue;
      watched.groupId = this.#groupIdOf(watched);
      groups.push({ number: watched.number, groupId: watched.groupId });
    }
    return groups;
  }

  #groupIdOf({ group }: Watched): string | null {
    return group ? idOf(this.#seed, GROUPS_FROM + group.key) : null;
  }

  #surroundings(nowMs: number, policy: DecisionPolicy): Surroundings {
    return { nowMs, policy, listens: this.#about.listens };
  }

  #assess(measure: Measure, nowMs: number): AssessedThreat[] {
    const { policy, version } = this.#scorer.policy;
    const chosen = this.#takeTurns();
    const around = this.#surroundings(nowMs, policy);
    const threats: AssessedThreat[] = [];
    const { protectedAreas } = this.#site;
    this.#measure(measure, nowMs, chosen, policy, (watched, own) => {
      const zones = this.#zones.evaluate(watched.flying(), own, nowMs);
      const unmeasured = { zones, pilot: this.#operators.distancesOf(watched.number), nowMs };
      const before = watched.level;
      const judged = this.#scorer.score(watched, protectedAreas, own, unmeasured, around);
      const { scored } = judged;
      const facts = moveFacts(watched, judged.situation);
      judged.relations.noteNearest(facts);
      this.#nearest.take(watched, judged.relations, nowMs);
      facts.zones = zones.facts;
      facts.ignored = zones.ignored;
      facts.dismissed = watched.word.dismissed;
      facts.near = this.#company.nearOf(watched.number);
      this.rules.note(watched.level !== before);
      if (!matters(watched, scored.score)) this.#clear(watched);
      else if (isDue(watched, scored, version, nowMs))
        threats.push(threatDue(watched, judged, this.#scorer.explain(judged), version, nowMs));
    });
    return threats;
  }

  /** Takes the changed tracks, sorted by number. If there are too many, takes those that were assessed longest ago. */
  #takeTurns(): Watched[] {
    const most = this.#moved > MANY_MOVED ? MOST_IN_SUCH : MOST_A_STEP;
    this.#moved = 0;
    let chosen = this.#dirty;
    this.#waits = chosen.length > most;
    if (this.#waits) {
      // The tracks that wait for the next step stay sorted, so that the next sort is cheap.
      const waiting = chosen.sort((a, b) => a.lookedMs - b.lookedMs || a.number - b.number);
      chosen = waiting.slice(0, most);
      this.#dirty = waiting.slice(most);
    } else this.#dirty = [];
    for (const watched of chosen) watched.isDirty = false;
    return chosen.sort((a, b) => a.number - b.number);
  }

  #clear(watched: Watched): void {
    if (watched.published) this.#cleared.push({ number: watched.number, trackId: watched.record.id });
    watched.published = null;
  }

  /**
   * Calls `each` for every chosen track, in order of track number, with its measured rows. A track without a position
   * has no rows.
   */
  #measure(
    measure: Measure,
    nowMs: number,
    chosen: readonly Watched[],
    { curves }: DecisionPolicy,
    each: (watched: Watched, own: TrackRows) => void,
  ): void {
    if (this.#site.protectedAreas.length === 0 || chosen.length === 0) {
      for (const watched of chosen) each(watched, nothing);
      return;
    }
    // Distances of pilots are measured first, because each measurement overwrites the rows of the previous one.
    for (const { number, record } of chosen) this.#operators.learn(number, record.operator);
    // The horizon covers all approaches that score: twice `eta_late_s`, or the longest warning time of a zone if that
    // is longer.
    const horizonS = Math.max(2 * curves.eta_late_s, this.#site.longestEtaS);
    const { heads, rows } = measure(this.#areas, chosen, nowMs / 1000, horizonS);
    const own: TrackRows = { rows, from: 0, measured: 0, contained: 0, more: 0 };
    // Each head contains the number of a track and the index of its rows. Heads are mostly in the order of track
    // numbers; a map by track number finds a head that is out of order.
    let [next, places]: [number, Map<number, number> | null] = [0, null];
    for (const watched of chosen) {
      let at: number | undefined = next;
      if (heads[at + AREA_HEAD.number] !== watched.number) {
        places ??= placesOf(heads);
        at = places.get(watched.number);
      }
      each(watched, at === undefined ? nothing : rowsAt(heads, at, own));
      if (at !== undefined) next = at + AREA_HEAD.width;
    }
  }
}

/** Returns the offset of each track's head row (`AREA_HEAD`) in `heads`, by track number. */
function placesOf(heads: Float64Array): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = 0; at < heads.length; at += AREA_HEAD.width) places.set(heads[at + AREA_HEAD.number] ?? 0, at);
  return places;
}

function rowsAt(heads: Float64Array, at: number, own: TrackRows): TrackRows {
  own.from = (heads[at + AREA_HEAD.first] ?? 0) * AREA.width;
  own.measured = heads[at + AREA_HEAD.measured] ?? 0;
  own.contained = heads[at + AREA_HEAD.contained] ?? 0;
  own.more = heads[at + AREA_HEAD.more] ?? 0;
  return own;
}
