import type { DecisionPolicy } from '../../model/decision_config.ts';
import { takeOffFriend, tellAffiliation } from './factors/affiliation.ts';
import { tellApproach } from './factors/approach.ts';
import { takeOffDoubt } from './factors/belief.ts';
import { tellCompany } from './factors/company.ts';
import { tellIdentity } from './factors/identity.ts';
import { tellKind } from './factors/kind.ts';
import { sharesOf, tellNearness } from './factors/nearness.ts';
import { tellStay } from './factors/stay.ts';
import type { Situation, Standing } from './situation.ts';
import { Tally, weightsOf } from './tally.ts';

export type Scored = {
  /** 0 to 100. */
  score: number;
  /** The protected thing that the score is about: that to which it is the greatest threat. Null where there is none. */
  standing: Standing | null;
};

/** Only for its sum. */
const best = new Tally();

/**
 * How much a track matters. What counts of a situation is added up for the protected thing that it threatens most: no
 * thing makes a track less of a threat, and none is counted twice.
 */
export function score(situation: Situation, policy: DecisionPolicy): Scored {
  return tallyUp(situation, policy, best);
}

/** The same, with every contribution left in `tally`. */
export function tallyUp(situation: Situation, policy: DecisionPolicy, tally: Tally): Scored {
  const chosen = new Choice(tally);
  const { standings } = situation;
  for (const standing of standings) chosen.weigh(standing, situation, policy);
  const { standing } = chosen;
  // Of several, another may have been the last that was looked at.
  if (standing && standings.length > 1) tallyStanding(tally, standing, situation, policy);
  return { score: chosen.scoreOf(situation, policy), standing };
}

/** The protected thing that a track threatens most, of those that are weighed one after another. */
export class Choice {
  readonly #tally: Tally;
  standing: Standing | null = null;
  /** Those that depend on that thing. */
  points = 0;

  constructor(tally = new Tally()) {
    this.#tally = tally;
  }

  /** None so far. */
  begin(): void {
    this.standing = null;
    this.points = 0;
  }

  weigh(standing: Standing, situation: Situation, policy: DecisionPolicy): void {
    const tally = this.#tally;
    tallyStanding(tally, standing, situation, policy);
    const { sum } = tally;
    const other = this.standing;
    if (other && !isBefore(standing, sum, other, this.points)) return;
    this.standing = standing;
    this.points = sum;
  }

  /** 0 to 100, about that thing. */
  scoreOf(situation: Situation, policy: DecisionPolicy): number {
    const tally = this.#tally;
    if (!this.standing) tally.addNothing();
    tally.sum = this.points;
    tallyTrack(tally, situation, policy);
    return Math.min(100, Math.max(0, tally.sum));
  }
}

function tallyStanding(tally: Tally, standing: Standing, situation: Situation, policy: DecisionPolicy): void {
  const shares = sharesOf(standing, situation, policy);
  tellNearness(tally, standing, shares, situation, policy);
  tellApproach(tally, standing, shares, situation, policy);
  tellStay(tally, standing, shares, situation, policy);
  tally.addThing(weightsOf(policy), standing.importance);
}

function tallyTrack(tally: Tally, situation: Situation, policy: DecisionPolicy): void {
  tellIdentity(tally, situation);
  tellKind(tally, situation);
  tellCompany(tally, situation, policy);
  tellAffiliation(tally, situation);
  tally.addTrack(weightsOf(policy));
  takeOffFriend(tally, situation);
  takeOffDoubt(tally, situation, policy);
}

/** The order in which things are told changes nothing, so that equal ones are chosen by what they are. */
function isBefore(a: Standing, aSum: number, b: Standing, bSum: number): boolean {
  if (aSum !== bSum) return aSum > bSum;
  if (a.distanceM !== b.distanceM) return a.distanceM < b.distanceM;
  return a.id < b.id;
}
