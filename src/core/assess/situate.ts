import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Classification } from '../../model/observation.ts';
import { blankSituation, type Situation, type Standing } from '../threat/situation.ts';
import type { Watched } from './watched.ts';

/** From this confidence on it is nothing that Remote ID is required of. */
const SURELY = 0.5;
/** What has just appeared may not have been asked by all receivers yet. */
const MAY_BE_SILENT_MS = 5_000;

/** Whatever of the site and the hour bears on every track. */
export type Surroundings = {
  nowMs: number;
  policy: DecisionPolicy;
  /** A receiver that would hear Remote ID works. */
  listens: boolean;
};

/** Filled anew for each track, since this is asked of each several times a second. */
const into = blankSituation('');

/** What a score is made of, for one track as it is now: good until it is asked of another. */
export function situate(watched: Watched, standings: readonly Standing[], around: Surroundings): Situation {
  const { record, word } = watched;
  const { integrity } = record;
  into.trackId = record.id;
  into.state = watched.state;
  into.existence = watched.existence;
  into.speedMps = watched.speedMps;
  into.climbMps = watched.upMps;
  into.positionSigmaM = watched.sigmaM;
  into.heightM = watched.heightM;
  into.affiliation = word.affiliation;
  into.affiliationBasis = word.affiliationBasis;
  into.named = watched.facts.named;
  into.crewed = watched.crewed;
  into.bird = watched.bird;
  into.nameRequired = isNameRequired(watched, into, around);
  into.verdict = integrity.verdict;
  into.integrityScore = integrity.score;
  into.doubts = integrity.reasons.length === 0 ? none : integrity.reasons.map(({ text }) => text);
  into.emergency = watched.emergency;
  into.groupSize = watched.group?.size ?? 1;
  into.visits = word.visits;
  into.loiterS = watched.loiterS;
  into.standings = standings;
  return into;
}

const none: readonly string[] = [];

/** An address of a radio is no name: it tells nobody whose aircraft that is. */
export function isNamed({ record }: Pick<Watched, 'record'>): boolean {
  for (const { type } of record.identities.values()) if (type !== 'mac' && type !== 'mavlink') return true;
  return false;
}

function isNameRequired(
  watched: Watched,
  { crewed, bird }: Situation,
  { nowMs, policy, listens }: Surroundings,
): boolean {
  if (!policy.identity.require_remote_id || !listens) return false;
  if (crewed >= SURELY || bird >= SURELY) return false;
  // Who has been there for so long has been so ever since: where that is noted, it need not be looked for.
  watched.hasHadTime ||= nowMs - watched.record.firstSeenMs >= MAY_BE_SILENT_MS;
  return watched.hasHadTime;
}

export function confidenceOf(classification: readonly Classification[], type: Classification['type']): number {
  let most = 0;
  for (const entry of classification) if (entry.type === type) most = Math.max(most, entry.confidence);
  return most;
}
