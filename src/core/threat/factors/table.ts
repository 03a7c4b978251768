import type { Situation } from '../situation.ts';
import { affiliationFactors, friend } from './affiliation.ts';
import { approachFactors } from './approach.ts';
import { beliefFactors } from './belief.ts';
import { companyFactors } from './company.ts';
import type { AreaFactor, Curves, SumFactor, TrackFactor } from './factor.ts';
import { identityFactors } from './identity.ts';
import { kindFactors } from './kind.ts';
import { nearnessFactors } from './nearness.ts';
import { stayFactors } from './stay.ts';

/**
 * All factors of a score, in three lists in the order of their addition: another order would change the last digits of
 * the sum.
 */
export const areaFactors: readonly AreaFactor[] = [...nearnessFactors, ...approachFactors, ...stayFactors];
export const trackFactors: readonly TrackFactor[] = [
  ...identityFactors,
  ...kindFactors,
  ...companyFactors,
  ...affiliationFactors,
];
export const sumFactors: readonly SumFactor[] = [friend, ...beliefFactors];

const [unidentified, noRemoteId, suspectIdentity] = identityFactors;
const [crewed, bird, emergency] = kindFactors;
const [swarm, repeatVisitor] = companyFactors;
const [hostile, neutral, remoteIdFriend] = affiliationFactors;

/**
 * Writes the strengths of `trackFactors` in their order. There is no loop, because V8 inlines only a call whose target
 * is always the same.
 */
export function trackStrengths(situation: Situation, curves: Curves, into: Float64Array): void {
  into[0] = unidentified.strength(situation, curves);
  into[1] = noRemoteId.strength(situation, curves);
  into[2] = suspectIdentity.strength(situation, curves);
  into[3] = crewed.strength(situation, curves);
  into[4] = bird.strength(situation, curves);
  into[5] = emergency.strength(situation, curves);
  into[6] = swarm.strength(situation, curves);
  into[7] = repeatVisitor.strength(situation, curves);
  into[8] = hostile.strength(situation, curves);
  into[9] = neutral.strength(situation, curves);
  into[10] = remoteIdFriend.strength(situation, curves);
}
