import type { AssessedThreat } from '../../model/assessment.ts';
import type { ThreatTrend } from '../../model/threat.ts';
import type { Course } from '../threat/levels.ts';
import type { Explained, Scored } from '../threat/threat_scorer.ts';
import type { Judged } from './scorer.ts';
import type { Watched } from './watched.ts';

/**
 * Points from which a track is listed as a threat. A listed track stays listed until its score falls below
 * `MATTERS_UNTIL`. A track with a level above `none` is listed at any score.
 */
const MATTERS_FROM = 1;
const MATTERS_UNTIL = 0.5;
/** Least interval between updates of a published score, ms: `urgent` from level medium on, `calm` below. */
const PUBLISH_EVERY_MS = { calm: 2_000, urgent: 1_000 } as const;
const PUBLISH_POINTS = 1;
/**
 * A published threat is updated when its distance has changed by `MOVED_M`, or by the share `MOVED_SHARE` if that is
 * more.
 */
const MOVED_M = 5;
const MOVED_SHARE = 0.1;
/** After this time without an update, ms, even a change of the score by `STALE_POINTS` is published. */
const STALE_MS = 5_000;
const STALE_POINTS = 0.05;

export function matters({ published, course, level }: Watched, score: number): boolean {
  if (course && level !== 'none') return true;
  return score >= (published ? MATTERS_UNTIL : MATTERS_FROM);
}

/**
 * Whether a threat must be published now. A new threat, or a change of level, group or policy, is published at once.
 * Any other noticeable change waits until `PUBLISH_EVERY_MS` has passed since the last update.
 */
export function isDue(watched: Watched, { score, relation }: Scored, policyVersion: number, nowMs: number): boolean {
  const { published, course } = watched;
  // The policy version of a threat shows clients whether a saved policy is already applied.
  if (published && published.policyVersion !== policyVersion) return true;
  if (!published || !course || published.level !== watched.level) return true;
  if (published.groupKey !== (watched.group?.key ?? 0)) return true;
  const passedMs = nowMs - published.atMs;
  const calm = watched.level === 'none' || watched.level === 'low';
  if (passedMs < PUBLISH_EVERY_MS[calm ? 'calm' : 'urgent']) return false;
  const offBy = Math.abs(score - published.score);
  if (offBy >= PUBLISH_POINTS || published.trend !== course.trend || published.relationId !== (relation?.id ?? ''))
    return true;
  if (published.state !== watched.state || hasMoved(relation?.distanceM ?? Number.NaN, published.distanceM))
    return true;
  return passedMs >= STALE_MS && offBy >= STALE_POINTS;
}

/**
 * Whether the distance changed enough to publish the threat again. Its sentences state distance and time, and must stay
 * correct even if the score no longer changes.
 */
function hasMoved(distanceM: number, publishedM: number): boolean {
  return Math.abs(distanceM - publishedM) >= Math.max(MOVED_M, MOVED_SHARE * Math.abs(publishedM));
}

/** Returns the threat with its explanation, and records the published values on the track. */
export function threatDue(
  watched: Watched,
  { scored, course }: Judged,
  explained: Explained,
  policyVersion: number,
  nowMs: number,
): AssessedThreat {
  notePublished(watched, scored, course.trend, policyVersion, nowMs);
  const { trend, peakScore, firstMs } = course;
  return threatOf(watched, explained, { level: watched.level, trend, peakScore, firstMs }, policyVersion);
}

function notePublished(
  watched: Watched,
  { score, relation: standing }: Scored,
  trend: ThreatTrend,
  policyVersion: number,
  atMs: number,
): void {
  const { state, level, group } = watched;
  const distanceM = standing?.distanceM ?? Number.NaN;
  const about = { relationId: standing?.id ?? '', groupKey: group?.key ?? 0, policyVersion };
  watched.published = { atMs, score, state, distanceM, level, trend, ...about };
}

/** Builds a threat in the form in which it leaves the core. */
export function threatOf(
  { record, number, groupId }: Watched,
  explained: Explained,
  { level, trend, peakScore, firstMs }: Pick<Course, 'level' | 'trend' | 'peakScore' | 'firstMs'>,
  policyVersion: number,
): AssessedThreat {
  const course = { level, trend, peak_score: peakScore, firstMs, group_id: groupId };
  return { number, trackId: record.id, ...explained, ...course, policyVersion };
}
