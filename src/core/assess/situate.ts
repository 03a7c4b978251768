import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Classification, Identity } from '../../model/observation.ts';
import { isGiven } from '../integrity/dossier.ts';
import type { AreaRelation, Situation } from '../threat/situation.ts';
import type { Watched } from './watched.ts';

/** Confidence from which a track counts as crewed or as a bird. Both are exempt from Remote ID. */
const SURE_FROM = 0.5;
/**
 * Grace period of a new track, ms: before its end, the aircraft may have a Remote ID that no receiver has reported yet.
 */
const MAY_BE_SILENT_MS = 5_000;

/** Inputs that the scores of all tracks share. */
export type Surroundings = {
  nowMs: number;
  policy: DecisionPolicy;
  /** Whether a Remote ID receiver works. */
  listens: boolean;
};

/**
 * Fills `into` with the present inputs of one track's score. The caller reuses the object, because thousands of tracks
 * may be scored each second.
 */
export function situate(
  watched: Watched,
  relations: readonly AreaRelation[],
  around: Surroundings,
  into: Situation,
): Situation {
  const { record, word } = watched;
  const { integrity } = record;
  into.trackId = record.id;
  into.state = watched.state;
  into.existence = watched.existence;
  into.speedMps = watched.speedMps;
  into.climbMps = watched.upMps;
  into.positionSigmaM = watched.sigmaM;
  into.heightM = watched.heightM;
  into.heightAbove = watched.heightAbove;
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
  into.relations = relations;
  return into;
}

const none: readonly string[] = [];

/** Types of identities that name a radio and not the aircraft. */
const noNames: ReadonlySet<Identity['type']> = new Set(['mac', 'mavlink']);

/** Whether an identity names the aircraft. Track numbers and call signs that other systems gave do not. */
export function isName(identity: Pick<Identity, 'type' | 'transport'>): boolean {
  return !noNames.has(identity.type) && !isGiven(identity);
}

/** Whether a track has an identity that names the aircraft. */
export function isNamed({ record }: Pick<Watched, 'record'>): boolean {
  for (const identity of record.identities.values()) if (isName(identity)) return true;
  return false;
}

function isNameRequired(
  watched: Watched,
  { crewed, bird }: Situation,
  { nowMs, policy, listens }: Surroundings,
): boolean {
  if (!policy.identity.require_remote_id || !listens) return false;
  if (crewed >= SURE_FROM || bird >= SURE_FROM) return false;
  // Once the grace period of a track is over, it stays over. The cached result saves a comparison of times.
  watched.hasHadTime ||= nowMs - watched.record.firstSeenMs >= MAY_BE_SILENT_MS;
  return watched.hasHadTime;
}

export function confidenceOf(classification: readonly Classification[], type: Classification['type']): number {
  let most = 0;
  for (const entry of classification) if (entry.type === type) most = Math.max(most, entry.confidence);
  return most;
}
