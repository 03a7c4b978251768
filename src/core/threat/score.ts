import type { DecisionPolicy } from '../../model/decision_config.ts';
import { addAffiliation, takeOffFriend } from './factors/affiliation.ts';
import { addApproach } from './factors/approach.ts';
import { addBelief } from './factors/belief.ts';
import { addCompany } from './factors/company.ts';
import { addIdentity } from './factors/identity.ts';
import { addKind } from './factors/kind.ts';
import { addNearness, sharesOf } from './factors/nearness.ts';
import { addStay } from './factors/stay.ts';
import type { Situation, Standing } from './situation.ts';
import { Tally } from './tally.ts';

export type Scored = {
  /** 0 to 100. */
  score: number;
  /** The protected thing that the score is about: that to which it is the greatest threat. Null where there is none. */
  standing: Standing | null;
};

const best = new Tally({ isRead: false });
/** Only for its sum. */
const other = new Tally({ isRead: false });

/**
 * How much a track matters. What counts of a situation is added up for the protected thing that it threatens most: no
 * thing makes a track less of a threat, and none is counted twice.
 */
export function score(situation: Situation, policy: DecisionPolicy): Scored {
  return tallyUp(situation, policy, best);
}

/** The points that depend on one protected thing. */
export function pointsOf(standing: Standing, situation: Situation, policy: DecisionPolicy): number {
  other.sum = 0;
  addStanding(other, standing, situation, policy);
  return other.sum;
}

/** The same, with every contribution left in `tally`. */
export function tallyUp(situation: Situation, policy: DecisionPolicy, tally: Tally): Scored {
  const standing = tallyStandings(situation, policy, tally);
  addIdentity(tally, situation, policy);
  addKind(tally, situation, policy);
  addCompany(tally, situation, policy);
  addAffiliation(tally, situation, policy);
  takeOffFriend(tally, situation);
  addBelief(tally, situation, policy);
  return { score: Math.min(100, Math.max(0, tally.sum)), standing };
}

function tallyStandings(situation: Situation, policy: DecisionPolicy, tally: Tally): Standing | null {
  let chosen: Standing | null = null;
  let most = 0;
  tally.clear();
  const { standings } = situation;
  if (standings.length === 1) chosen = standings[0] ?? null;
  else
    for (const standing of standings) {
      const points = pointsOf(standing, situation, policy);
      if (chosen && !isBefore(standing, points, chosen, most)) continue;
      chosen = standing;
      most = points;
    }
  if (chosen) addStanding(tally, chosen, situation, policy);
  return chosen;
}

function addStanding(tally: Tally, standing: Standing, situation: Situation, policy: DecisionPolicy): void {
  const shares = sharesOf(standing, situation, policy);
  addNearness(tally, standing, shares, situation, policy);
  addApproach(tally, standing, shares, situation, policy);
  addStay(tally, standing, shares, situation, policy);
}

/** The order in which things are told changes nothing, so that equal ones are chosen by what they are. */
function isBefore(a: Standing, aSum: number, b: Standing, bSum: number): boolean {
  if (aSum !== bSum) return aSum > bSum;
  if (a.distanceM !== b.distanceM) return a.distanceM < b.distanceM;
  return a.id < b.id;
}
