import type { AssessedThreat } from '../../model/assessment.ts';
import type { ThreatTrend } from '../../model/threat.ts';
import { type Explained, explain } from '../threat/explain.ts';
import type { Course } from '../threat/levels.ts';
import type { Scored } from '../threat/score.ts';
import type { Standing } from '../threat/situation.ts';
import type { AssessPolicy } from './briefed.ts';
import type { Judged } from './scorer.ts';
import type { Watched } from './watched.ts';

/** From so many points on a track matters enough to be listed; below the other, no more. */
const MATTERS_FROM = 1;
const MATTERS_UNTIL = 0.5;
/** Changes of a score are gathered; whoever is of weight is told of oftener. */
const TOLD_EVERY_MS = { calm: 2_000, urgent: 1_000 } as const;
const TOLD_POINTS = 1;
/** What is told of is as far away, to within so much. */
const MOVED_M = 5;
const MOVED_SHARE = 0.1;
/** So often what is told is brought up to date, however little changed. */
const STALE_MS = 5_000;
const STALE_POINTS = 0.05;

export function matters({ told, course, level }: Watched, score: number): boolean {
  if (course && level !== 'none') return true;
  return score >= (told ? MATTERS_UNTIL : MATTERS_FROM);
}

/** A change of level or policy is told at once; of numbers only those that mean something, and not with every report. */
export function isDue(watched: Watched, { score, standing }: Scored, policyVersion: number, nowMs: number): boolean {
  const { told, course } = watched;
  // Whoever reads a threat sees by its version whether a policy that was saved holds already.
  if (told && told.policyVersion !== policyVersion) return true;
  if (!told || !course || told.level !== watched.level) return true;
  if (told.groupKey !== (watched.group?.key ?? 0)) return true;
  const passedMs = nowMs - told.atMs;
  const calm = watched.level === 'none' || watched.level === 'low';
  if (passedMs < TOLD_EVERY_MS[calm ? 'calm' : 'urgent']) return false;
  const offBy = Math.abs(score - told.score);
  if (offBy >= TOLD_POINTS || told.trend !== course.trend || told.standingId !== (standing?.id ?? '')) return true;
  if (told.state !== watched.state || hasMoved(standing?.distanceM ?? Number.NaN, told.distanceM)) return true;
  return passedMs >= STALE_MS && offBy >= STALE_POINTS;
}

/** Its sentences say how far and how soon: they are to be true of what matters, also where the score can rise no more. */
function hasMoved(distanceM: number, toldM: number): boolean {
  return Math.abs(distanceM - toldM) >= Math.max(MOVED_M, MOVED_SHARE * Math.abs(toldM));
}

/** Puts into words what is due to be told. */
export class Teller {
  /** `standings` are to all things that are scored. */
  tell(
    watched: Watched,
    { scored, situation, course }: Judged,
    standings: readonly Standing[],
    { policy, version }: AssessPolicy,
    nowMs: number,
  ): AssessedThreat {
    noteTold(watched, scored, course.trend, version, nowMs);
    const { trend, peakScore, firstMs } = course;
    const explained = explain(situation, policy, standings);
    return threatOf(watched, explained, { level: watched.level, trend, peakScore, firstMs }, version);
  }
}

function noteTold(
  watched: Watched,
  { score, standing }: Scored,
  trend: ThreatTrend,
  policyVersion: number,
  atMs: number,
): void {
  const { state, level, group } = watched;
  const distanceM = standing?.distanceM ?? Number.NaN;
  const about = { standingId: standing?.id ?? '', groupKey: group?.key ?? 0, policyVersion };
  watched.told = { atMs, score, state, distanceM, level, trend, ...about };
}

/** A threat as it leaves the core. */
export function threatOf(
  { record, number, groupId }: Watched,
  explained: Explained,
  { level, trend, peakScore, firstMs }: Pick<Course, 'level' | 'trend' | 'peakScore' | 'firstMs'>,
  policyVersion: number,
): AssessedThreat {
  const course = { level, trend, peak_score: peakScore, firstMs, group_id: groupId };
  return { number, trackId: record.id, ...explained, ...course, policyVersion };
}
