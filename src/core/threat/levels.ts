import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { ThreatLevel } from '../../model/posture.ts';
import type { ThreatTrend } from '../../model/threat.ts';
import { affiliationBases, affiliations, trackStates } from '../../model/track.ts';
import { verdictCodes } from '../../model/track_row.ts';
import type { Scored } from './score.ts';
import type { Situation, Standing } from './situation.ts';

type Levels = DecisionPolicy['levels'];

/** A trend is how far a quick mean of the score lies from a slow one. */
const QUICK_S = 2;
const SLOW_S = 10;
/** Points apart from which it rises or falls, and below which it no longer does. */
const TREND_FROM = 2;
const TREND_UNTIL = 1;
const LOW = 1;

/** How a track's score has gone so far; `follow` carries it on. */
export type Course = {
  level: ThreatLevel;
  trend: ThreatTrend;
  score: number;
  peakScore: number;
  firstMs: number;
  atMs: number;
  levelSinceMs: number;
  /** Since when the score has been above the level, and the least that it was meanwhile; NaN where it is not. */
  aboveSinceMs: number;
  leastAbove: number;
  /** Since when it has been below, and the most that it was. */
  belowSinceMs: number;
  mostBelow: number;
  quick: number;
  slow: number;
  causes: number;
  /** The thing that it is inside of, empty for none. */
  inside: string;
};

/**
 * What a score is made of besides numbers that flow, as one number. Where this changes, or the thing that it is inside of, a
 * higher level holds at once: somebody is known to lie, or has come in; that is no noise which time would smooth.
 */
function causesOf(situation: Situation): number {
  const { state, affiliation, affiliationBasis, verdict, named, emergency } = situation;
  const isKnown =
    state === words.state &&
    affiliation === words.affiliation &&
    affiliationBasis === words.affiliationBasis &&
    verdict === words.verdict;
  if (!isKnown) learnWords(situation);
  return ((named ? 2 : 0) + (emergency ? 1 : 0)) * WORDS + words.code;
}

const WORDS = 8 ** 4;
/** Of the track before, which mostly says the same: to look words up takes longer than all else. */
const words = { state: '', affiliation: '', affiliationBasis: '', verdict: '', code: 0 };

function learnWords({ state, affiliation, affiliationBasis, verdict }: Situation): void {
  let code = trackStates.indexOf(state);
  code = code * 8 + affiliations.indexOf(affiliation);
  code = code * 8 + affiliationBases.indexOf(affiliationBasis);
  words.code = code * 8 + verdictCodes.indexOf(verdict);
  words.state = state;
  words.affiliation = affiliation;
  words.affiliationBasis = affiliationBasis;
  words.verdict = verdict;
}

function insideOf({ standing }: Scored): string {
  return standing && standing.distanceM <= 0 && !isAboveOrBelow(standing) ? standing.id : '';
}

/** A height that is not known is none of both. */
function isAboveOrBelow({ heightGapM }: Standing): boolean {
  return heightGapM < 0 || heightGapM > 0;
}

/** The highest level that a score has reached. */
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
 * Carries a course on to now, in place: up after `rise_s`, at once where what the score is made of changed; down when it
 * has been below by the hysteresis for `dwell_s`. How often it is called does not matter, but for how fine it looks.
 */
export function follow(course: Course, scored: Scored, situation: Situation, levels: Levels, nowMs: number): Course {
  const passedS = Math.max(0, nowMs - course.atMs) / 1000;
  const causes = causesOf(situation);
  const inside = insideOf(scored);
  const changed = causes !== course.causes || inside !== course.inside;
  course.score = scored.score;
  course.peakScore = Math.max(course.peakScore, scored.score);
  course.causes = causes;
  course.inside = inside;
  course.atMs = Math.max(course.atMs, nowMs);
  trend(course, passedS);
  const before = course.level;
  up(course, levels, changed);
  down(course, levels);
  course.level = capped(course.level, situation);
  if (course.level !== before) course.levelSinceMs = course.atMs;
  return course;
}

/**
 * Under another policy: the level is at once what the score says now. Time smooths what is heard, and what people decide is no
 * noise; nor does a track rise or fall since it is counted otherwise.
 */
export function judgeAnew(course: Course, scored: Scored, situation: Situation, levels: Levels, nowMs: number): Course {
  const anew = beginCourse(scored, situation, levels, nowMs);
  const levelSinceMs = anew.level === course.level ? course.levelSinceMs : nowMs;
  return { ...anew, levelSinceMs, peakScore: Math.max(course.peakScore, scored.score), firstMs: course.firstMs };
}

/** Whether the same situation has the same score and level under both. */
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

function down(course: Course, levels: Levels): void {
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
  if (atMs - course.belowSinceMs < levels.dwell_s * 1000) return;
  course.level = levelOf(course.mostBelow, levels, levels.hysteresis);
  course.belowSinceMs = course.mostBelow = Number.NaN;
}

/** What of the past is left after a time; mostly it is the same that has passed for one track as for the one before. */
const left = { passedS: 0, quick: 1, slow: 1 };

function trend(course: Course, passedS: number): void {
  if (passedS !== left.passedS) {
    left.passedS = passedS;
    left.quick = Math.exp(-passedS / QUICK_S);
    left.slow = Math.exp(-passedS / SLOW_S);
  }
  course.quick += (course.score - course.quick) * (1 - left.quick);
  course.slow += (course.score - course.slow) * (1 - left.slow);
  const apart = course.quick - course.slow;
  if (Math.abs(apart) >= TREND_FROM) course.trend = apart > 0 ? 'rising' : 'falling';
  else if (Math.abs(apart) < TREND_UNTIL || apart > 0 === (course.trend === 'falling')) course.trend = 'steady';
}

/** What is not confirmed is never above low, whatever the score. */
export function capped(level: ThreatLevel, { state }: Situation): ThreatLevel {
  return state === 'tentative' && rank(level) > LOW ? 'low' : level;
}

/** As `threatLevels` lists them: asked so often that to look for it there takes long. */
function rank(level: ThreatLevel): number {
  if (level === 'none') return 0;
  if (level === 'low') return 1;
  if (level === 'medium') return 2;
  return level === 'high' ? 3 : 4;
}
