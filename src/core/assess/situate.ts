import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Classification } from '../../model/observation.ts';
import type { Situation, Standing } from '../threat/situation.ts';
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

/** What a score is made of, for one track as it is now. */
export function situate(watched: Watched, standings: readonly Standing[], around: Surroundings): Situation {
  const { record, word } = watched;
  const crewed = confidenceOf(record.classification, 'crewed_aircraft');
  const bird = confidenceOf(record.classification, 'bird');
  const { integrity } = record;
  return {
    trackId: record.id,
    state: watched.state,
    existence: watched.existence,
    speedMps: watched.speedMps,
    climbMps: watched.upMps,
    positionSigmaM: watched.sigmaM,
    heightM: watched.heightM,
    affiliation: word.affiliation,
    affiliationBasis: word.affiliationBasis,
    named: isNamed(watched),
    nameRequired: isNameRequired(watched, crewed, bird, around),
    verdict: integrity.verdict,
    integrityScore: integrity.score,
    doubts: integrity.reasons.map(({ text }) => text),
    crewed,
    bird,
    emergency: record.flags.has('emergency'),
    groupSize: watched.group?.size ?? 1,
    visits: word.visits,
    loiterS: watched.loiterS,
    standings,
  };
}

/** An address of a radio is no name: it tells nobody whose aircraft that is. */
export function isNamed({ record }: Watched): boolean {
  for (const { type } of record.identities.values()) if (type !== 'mac' && type !== 'mavlink') return true;
  return false;
}

function isNameRequired(
  { record }: Watched,
  crewed: number,
  bird: number,
  { nowMs, policy, listens }: Surroundings,
): boolean {
  if (!policy.identity.require_remote_id || !listens) return false;
  if (crewed >= SURELY || bird >= SURELY) return false;
  return nowMs - record.firstSeenMs >= MAY_BE_SILENT_MS;
}

export function confidenceOf(classification: readonly Classification[], type: Classification['type']): number {
  let most = 0;
  for (const entry of classification) if (entry.type === type) most = Math.max(most, entry.confidence);
  return most;
}
