import { AREA, AREA_HEAD } from '../../model/area_row.ts';
import type { AssessedThreat, Assessment, TrackWord } from '../../model/assessment.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { idOf } from '../../model/ids.ts';
import { COLUMN, ROW_WIDTH } from '../../model/track_row.ts';
import { Areas } from '../areas.ts';
import { explain } from '../threat/explain.ts';
import { beginCourse, capped, follow, levelOf } from '../threat/levels.ts';
import { score } from '../threat/score.ts';
import type { Standing } from '../threat/situation.ts';
import type { TrackRecord } from '../track_record.ts';
import type { Tracker } from '../tracker.ts';
import { Company } from './company.ts';
import { Operators } from './operators.ts';
import type { SiteThing, SiteValue } from './site.ts';
import { type Surroundings, situate } from './situate.ts';
import { standingsOf } from './standings.ts';
import { isDue, matters, noteTold } from './telling.ts';
import { isTurning, Watched } from './watched.ts';

/** No path is followed farther: what is later than twice the latest time that counts, counts nothing. */
const HORIZON_S = 360;
/** Of what neither moves nor is spoken of, time alone changes the score. */
const LOOK_EVERY_MS = 1_000;
const COMPANY_EVERY_MS = 1_000;
/** Ids of groups are counted from here on, far above any track's. */
const GROUPS_FROM = 2 ** 40;

/** Where nothing is near. */
const alone: readonly Standing[] = [];

/** What people decided, and what of the site is known, as the core goes by it. */
export type AssessPolicy = { policy: DecisionPolicy; version: number };

/**
 * Which tracks matter, and why. Each step looks at those that moved, changed or were spoken of, and at the rest once a
 * second; what is to be told comes out with the step.
 */
export class Assessor {
  readonly #seed: Uint8Array;
  readonly #areas: Areas;
  readonly #operators: Operators;
  readonly #company: Company;
  readonly #watched = new Map<number, Watched>();
  readonly #words = new Map<number, TrackWord>();
  readonly #dirty = new Set<Watched>();
  #policy: AssessPolicy = { policy: defaultPolicy, version: 0 };
  #site: readonly SiteThing[] = [];
  #listens = false;
  #companyMs = Number.NEGATIVE_INFINITY;
  #sweptMs = Number.NEGATIVE_INFINITY;
  #cleared: Assessment['cleared'] = [];

  constructor(maxTracks: number, seed: Uint8Array, lastGroup = 0) {
    this.#seed = seed;
    this.#areas = new Areas(maxTracks);
    this.#operators = new Operators(this.#areas);
    this.#company = new Company(lastGroup);
  }

  /** From the next look on, of every track. */
  setPolicy(policy: AssessPolicy): void {
    this.#policy = policy;
    this.#lookAtAll();
  }

  /** Everything that tracks are measured against, anew. */
  setSite({ things, listens }: SiteValue): void {
    this.#areas.set(things.map(({ value }) => value));
    this.#site = things;
    this.#listens = listens;
    this.#operators.clear();
    this.#lookAtAll();
  }

  hearWords(words: readonly TrackWord[]): void {
    for (const word of words) {
      const watched = this.#watched.get(word.number);
      if (!watched) this.#words.set(word.number, word);
      else {
        watched.word = word;
        this.#dirty.add(watched);
      }
    }
  }

  /** Tracks that moved or changed state, in rows of the tracker. */
  moved(rows: Float64Array, recordOf: (number: number) => TrackRecord | undefined): void {
    for (let at = 0; at < rows.length; at += ROW_WIDTH) {
      const record = recordOf(rows[at + COLUMN.number] ?? 0);
      if (record) this.#watch(record).take(rows, at);
    }
  }

  /** What is said of a track changed. */
  described(record: TrackRecord): void {
    this.#watch(record);
  }

  /** A track has ended; what was found of it is its heir's where it has one. */
  forget(number: number): void {
    const watched = this.#watched.get(number);
    this.#operators.forget(number);
    this.#words.delete(number);
    if (!watched) return;
    this.#watched.delete(number);
    this.#dirty.delete(watched);
    if (watched.told) this.#cleared.push({ number, trackId: watched.record.id });
  }

  look(tracker: Tracker, nowMs: number): Assessment {
    const groups = this.#lookAtCompany(nowMs);
    if (nowMs - this.#sweptMs >= LOOK_EVERY_MS / 4) this.#sweep(nowMs);
    const threats = this.#assess(tracker, nowMs);
    const cleared = this.#cleared;
    this.#cleared = [];
    return { threats, cleared, groups, zoneEvents: [], firings: [] };
  }

  /** What tracks would score now under another policy: of all, or of some. Changes nothing. */
  preview(tracker: Tracker, nowMs: number, preview: AssessPolicy, numbers: readonly number[] | null): AssessedThreat[] {
    const chosen = numbers ? numbers.flatMap((number) => this.#watched.get(number) ?? []) : [...this.#watched.values()];
    const around = this.#surroundings(nowMs, preview.policy);
    const standings = this.#measure(tracker, nowMs, chosen, preview.policy);
    return chosen.map((watched) => {
      const situation = situate(watched, standings.get(watched.number) ?? [], around);
      const explained = explain(situation, preview.policy);
      const level = capped(levelOf(explained.score, preview.policy.levels), situation);
      const { peakScore = explained.score, firstMs = nowMs } = watched.course ?? {};
      const course = { level, trend: 'steady' as const, peakScore: Math.max(peakScore, explained.score), firstMs };
      return this.#threatOf(watched, explained, course, preview.version);
    });
  }

  #watch(record: TrackRecord): Watched {
    let watched = this.#watched.get(record.number);
    if (!watched) {
      watched = new Watched(record);
      watched.word = this.#words.get(record.number) ?? watched.word;
      this.#words.delete(record.number);
      this.#watched.set(record.number, watched);
    }
    this.#dirty.add(watched);
    return watched;
  }

  #lookAtAll(): void {
    for (const watched of this.#watched.values()) this.#dirty.add(watched);
  }

  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    for (const watched of this.#watched.values())
      if (nowMs - watched.lookedMs >= LOOK_EVERY_MS || isTurning(watched)) this.#dirty.add(watched);
  }

  #lookAtCompany(nowMs: number): Assessment['groups'] {
    if (nowMs - this.#companyMs < COMPANY_EVERY_MS) return [];
    this.#companyMs = nowMs;
    return this.#company.look(this.#watched).map((watched) => {
      this.#dirty.add(watched);
      return { number: watched.number, groupId: this.#groupIdOf(watched) };
    });
  }

  #groupIdOf({ group }: Watched): string | null {
    return group ? idOf(this.#seed, GROUPS_FROM + group.key) : null;
  }

  #surroundings(nowMs: number, policy: DecisionPolicy): Surroundings {
    return { nowMs, policy, listens: this.#listens };
  }

  #assess(tracker: Tracker, nowMs: number): AssessedThreat[] {
    const { policy, version } = this.#policy;
    const chosen = [...this.#dirty].sort((a, b) => a.number - b.number);
    this.#dirty.clear();
    const around = this.#surroundings(nowMs, policy);
    const standings = this.#measure(tracker, nowMs, chosen, policy);
    const told: AssessedThreat[] = [];
    for (const watched of chosen) {
      const own = standings.get(watched.number) ?? alone;
      const situation = situate(watched, own, around, watched.situation);
      const scored = score(situation, policy);
      watched.lookedMs = nowMs;
      watched.course = watched.course
        ? follow(watched.course, scored, situation, policy.levels, nowMs)
        : beginCourse(scored, situation, policy.levels, nowMs);
      if (!matters(watched, scored.score)) {
        if (watched.told) this.#cleared.push({ number: watched.number, trackId: watched.record.id });
        watched.told = null;
      } else if (isDue(watched, scored, nowMs)) {
        noteTold(watched, scored, nowMs);
        told.push(this.#threatOf(watched, explain(situation, policy), watched.course, version));
      }
    }
    return told;
  }

  #measure(
    tracker: Tracker,
    nowMs: number,
    chosen: readonly Watched[],
    policy: DecisionPolicy,
  ): Map<number, Standing[]> {
    const standings = new Map<number, Standing[]>();
    if (this.#site.length === 0 || chosen.length === 0) return standings;
    // Before the rows are there: pilots are measured by the same areas, whose rows hold until they are asked again.
    const pilots = chosen.map(({ number, record }) => this.#operators.distancesOf(number, record.operator));
    const numbers = Float64Array.from(chosen, ({ number }) => number);
    const { heads, rows } = this.#areas.measure(tracker, nowMs / 1000, HORIZON_S, numbers);
    const byNumber = new Map(chosen.map((watched, i) => [watched.number, { watched, pilot: pilots[i] }]));
    for (let at = 0; at < heads.length; at += AREA_HEAD.width) {
      const found = byNumber.get(heads[at + AREA_HEAD.number] ?? 0);
      if (!found) continue;
      const stay = { dwellS: () => 0, operatorDistanceM: (thing: number) => found.pilot?.get(thing) ?? Number.NaN };
      const first = (heads[at + AREA_HEAD.first] ?? 0) * AREA.width;
      const count = heads[at + AREA_HEAD.measured] ?? 0;
      standings.set(found.watched.number, standingsOf(this.#site, rows, first, count, found.watched, stay, policy));
    }
    return standings;
  }

  #threatOf(
    watched: Watched,
    explained: ReturnType<typeof explain>,
    {
      level,
      trend,
      peakScore,
      firstMs,
    }: Pick<NonNullable<Watched['course']>, 'level' | 'trend' | 'peakScore' | 'firstMs'>,
    policyVersion: number,
  ): AssessedThreat {
    const { record, number } = watched;
    const group_id = this.#groupIdOf(watched);
    const course = { level, trend, peak_score: peakScore, firstMs };
    return { number, trackId: record.id, ...explained, ...course, group_id, policyVersion };
  }
}
