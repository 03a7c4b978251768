import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { ThreatTrend } from '../../model/threat.ts';
import type { AreaRelation, Situation } from './situation.ts';
import type { Scored } from './threat_scorer.ts';

type Levels = DecisionPolicy['levels'];

/** Time constants of a fast and a slow average of the score, s. The difference of the averages gives the trend. */
const QUICK_S = 2;
const SLOW_S = 10;
/**
 * Difference of the two averages, points, from which the score counts as rising or falling. Below `TREND_UNTIL` it
 * counts as steady again.
 */
const TREND_FROM = 2;
const TREND_UNTIL = 1;
const LOW = 1;

/** History of a track's score. `follow` updates it. */
export type Course = {
  level: ThreatLevel;
  trend: ThreatTrend;
  score: number;
  peakScore: number;
  firstMs: number;
  atMs: number;
  levelSinceMs: number;
  /**
   * Time since which the score has been in a higher level, ms, and the lowest score since then; NaN if it is not higher
   * now.
   */
  aboveSinceMs: number;
  leastAbove: number;
  /**
   * Time since which the score has been below the level's threshold minus the hysteresis, ms, and the highest score
   * since then; NaN if it is not below now.
   */
  belowSinceMs: number;
  mostBelow: number;
  quick: number;
  slow: number;
  causes: Causes;
  /** Id of the area that decides the score, if the track is in it; else an empty string. */
  inside: string;
};

/**
 * Discrete inputs of a score. When one of them changes, or `Course.inside` does, a higher level applies at once. Such a
 * change is not noise that must be smoothed.
 */
type Causes = Pick<Situation, 'state' | 'affiliation' | 'affiliationBasis' | 'verdict' | 'named' | 'emergency'>;

function causesOf({ state, affiliation, affiliationBasis, verdict, named, emergency }: Situation): Causes {
  return { state, affiliation, affiliationBasis, verdict, named, emergency };
}

function isSame(a: Causes, b: Causes): boolean {
  return (
    a.state === b.state &&
    a.affiliation === b.affiliation &&
    a.affiliationBasis === b.affiliationBasis &&
    a.verdict === b.verdict &&
    a.named === b.named &&
    a.emergency === b.emergency
  );
}

function insideOf({ relation }: Scored): string {
  return relation && relation.distanceM <= 0 && !isAboveOrBelow(relation) ? relation.id : '';
}

/** Whether the track is above or below the area. An unknown height counts as neither. */
function isAboveOrBelow({ heightGapM }: AreaRelation): boolean {
  return heightGapM < 0 || heightGapM > 0;
}

/** Returns the highest level whose threshold, lowered by `below`, the score reaches. */
export function levelOf(score: number, levels: Levels, below = 0): ThreatLevel {
  if (score >= levels.critical - below) return 'critical';
  if (score >= levels.high - below) return 'high';
  if (score >= levels.medium - below) return 'medium';
  return score >= levels.low - below ? 'low' : 'none';
}

export function beginCourse(scored: Scored, situation: Situation, levels: Levels, nowMs: number): Course {
  const { score } = scored;
  return {
    level: capped(levelOf(score, levels), situation),
    trend: 'steady',
    score,
    peakScore: score,
    firstMs: nowMs,
    atMs: nowMs,
    levelSinceMs: nowMs,
    aboveSinceMs: Number.NaN,
    leastAbove: Number.NaN,
    belowSinceMs: Number.NaN,
    mostBelow: Number.NaN,
    quick: score,
    slow: score,
    causes: causesOf(situation),
    inside: insideOf(scored),
  };
}

/**
 * Updates `course` in place. The level rises once the score has stayed in a higher level for `rise_s`, or at once if a
 * discrete input or `inside` changed. It falls after the score has been below its threshold minus the hysteresis for
 * `dwell_s`, or at once if the affiliation changed. More frequent calls only make the times more exact.
 */
export function follow(
  course: Course,
  scored: Scored,
  situation: Situation,
  levels: Levels,
  nowMs: number,
  decay = new Decay(),
): Course {
  const passedS = Math.max(0, nowMs - course.atMs) / 1000;
  const inside = insideOf(scored);
  const sameCauses = isSame(course.causes, situation);
  const changed = !sameCauses || inside !== course.inside;
  const isDecided = course.causes.affiliation !== situation.affiliation;
  course.score = scored.score;
  course.peakScore = Math.max(course.peakScore, scored.score);
  if (!sameCauses) course.causes = causesOf(situation);
  course.inside = inside;
  course.atMs = Math.max(course.atMs, nowMs);
  trend(course, decay.after(passedS));
  const before = course.level;
  up(course, levels, changed);
  down(course, levels, isDecided);
  course.level = capped(course.level, situation);
  if (course.level !== before) course.levelSinceMs = course.atMs;
  return course;
}

/**
 * Applies a changed policy: the level follows the present score at once, because smoothing is meant for sensor noise.
 * The trend starts anew, because the policy changed the score, not the track.
 */
export function judgeAnew(course: Course, scored: Scored, situation: Situation, levels: Levels, nowMs: number): Course {
  const anew = beginCourse(scored, situation, levels, nowMs);
  const levelSinceMs = anew.level === course.level ? course.levelSinceMs : nowMs;
  return { ...anew, levelSinceMs, peakScore: Math.max(course.peakScore, scored.score), firstMs: course.firstMs };
}

/** Whether two policies give the same situation the same score and level. */
export function scoresAlike(a: DecisionPolicy, b: DecisionPolicy): boolean {
  const parts = ({ weights, curves, levels, identity }: DecisionPolicy): string =>
    JSON.stringify([weights, curves, levels, identity]);
  return a === b || parts(a) === parts(b);
}

function up(course: Course, levels: Levels, changed: boolean): void {
  const { score, atMs } = course;
  if (rank(levelOf(score, levels)) <= rank(course.level)) {
    course.aboveSinceMs = course.leastAbove = Number.NaN;
    return;
  }
  if (Number.isNaN(course.aboveSinceMs)) {
    course.aboveSinceMs = atMs;
    course.leastAbove = score;
  }
  course.leastAbove = Math.min(course.leastAbove, score);
  if (!changed && atMs - course.aboveSinceMs < levels.rise_s * 1000) return;
  course.level = levelOf(changed ? score : course.leastAbove, levels);
  course.aboveSinceMs = course.leastAbove = Number.NaN;
}

/**
 * Lowers the level if it is due. A changed affiliation (`isDecided`) is a decision and not noise, so the level of a
 * track that becomes a friend falls at once.
 */
function down(course: Course, levels: Levels, isDecided: boolean): void {
  const { score, atMs } = course;
  if (rank(levelOf(score, levels, levels.hysteresis)) >= rank(course.level)) {
    course.belowSinceMs = course.mostBelow = Number.NaN;
    return;
  }
  if (Number.isNaN(course.belowSinceMs)) {
    course.belowSinceMs = atMs;
    course.mostBelow = score;
  }
  course.mostBelow = Math.max(course.mostBelow, score);
  if (!isDecided && atMs - course.belowSinceMs < levels.dwell_s * 1000) return;
  course.level = levelOf(isDecided ? score : course.mostBelow, levels, levels.hysteresis);
  course.belowSinceMs = course.mostBelow = Number.NaN;
}

/**
 * Weights of the old values in the fast and the slow average after some time. They are cached, because most tracks of a
 * step have the same elapsed time.
 */
export class Decay {
  #passedS = 0;
  quick = 1;
  slow = 1;

  after(passedS: number): this {
    if (passedS === this.#passedS) return this;
    this.#passedS = passedS;
    this.quick = Math.exp(-passedS / QUICK_S);
    this.slow = Math.exp(-passedS / SLOW_S);
    return this;
  }
}

function trend(course: Course, { quick, slow }: Decay): void {
  course.quick += (course.score - course.quick) * (1 - quick);
  course.slow += (course.score - course.slow) * (1 - slow);
  const apart = course.quick - course.slow;
  if (Math.abs(apart) >= TREND_FROM) course.trend = apart > 0 ? 'rising' : 'falling';
  else if (Math.abs(apart) < TREND_UNTIL || apart > 0 === (course.trend === 'falling')) course.trend = 'steady';
}

/** Limits the level of a tentative track to low, whatever its score. */
export function capped(level: ThreatLevel, { state }: Situation): ThreatLevel {
  return state === 'tentative' && rank(level) > LOW ? 'low' : level;
}

/** Index of a level in `threatLevels`, without a search: this is called for every track. */
function rank(level: ThreatLevel): number {
  if (level === 'none') return 0;
  if (level === 'low') return 1;
  if (level === 'medium') return 2;
  return level === 'high' ? 3 : 4;
}
