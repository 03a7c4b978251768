import type { DecisionPolicy } from '../../model/decision_config.ts';
import { type Threat, type ThreatFactor, type ThreatFactorId, threatFactors } from '../../model/threat.ts';
import { affiliationWords } from './factors/affiliation.ts';
import { approachWords } from './factors/approach.ts';
import { beliefWords } from './factors/belief.ts';
import { companyWords } from './factors/company.ts';
import { identityWords } from './factors/identity.ts';
import { kindWords } from './factors/kind.ts';
import { nearnessWords } from './factors/nearness.ts';
import { stayWords } from './factors/stay.ts';
import { tallyUp } from './score.ts';
import { blankStanding, type Situation, type Standing } from './situation.ts';
import { FACTOR, Tally } from './tally.ts';
import type { Wording, Wordings } from './words.ts';

const wordings: Wordings = {
  ...nearnessWords,
  ...approachWords,
  ...stayWords,
  ...identityWords,
  ...kindWords,
  ...companyWords,
  ...affiliationWords,
  ...beliefWords,
};
const unworded: Wording = { unit: null, say: () => '' };
const nothing = blankStanding();
const tally = new Tally();

/** What a score is made of, in words. Scores are made of every track each step, words only of those that are told. */
export type Explained = Pick<Threat, 'score' | 'factors' | 'nearest_zone' | 'cpa'>;

/** `standings` are all, where those of the situation are only those that its score may be about. */
export function explain(
  situation: Situation,
  policy: DecisionPolicy,
  standings: readonly Standing[] = situation.standings,
): Explained {
  const { score, standing } = tallyUp(situation, policy, tally);
  const factors: ThreatFactor[] = [];
  for (const id of threatFactors) {
    const place = FACTOR[id];
    if (tally.contributions[place] !== 0) factors.push(factorOf(id, place, situation, standing ?? nothing, policy));
  }
  factors.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  return { score, factors, nearest_zone: nearestZone(standings), cpa: cpaOf(standing) };
}

function factorOf(
  id: ThreatFactorId,
  place: number,
  situation: Situation,
  standing: Standing,
  policy: DecisionPolicy,
): ThreatFactor {
  const { unit, say } = wordings[id] ?? unworded;
  const value = tally.values[place] ?? 0;
  const contribution = tally.contributions[place] ?? 0;
  return {
    id,
    value: Number.isFinite(value) ? value : null,
    unit,
    weight: tally.weights[place] ?? 0,
    contribution,
    text: say({ value, contribution, situation, standing, policy }),
  };
}

function nearestZone(standings: readonly Standing[]): Threat['nearest_zone'] {
  let nearest: Standing | null = null;
  for (const standing of standings) {
    if (standing.kind !== 'zone') continue;
    if (!nearest || isNearer(standing, nearest)) nearest = standing;
  }
  if (!nearest) return null;
  const { id, distanceM, etaS, etaSigmaS } = nearest;
  return {
    id,
    distance_m: distanceM,
    eta_s: finite(etaS),
    eta_sigma_s: finite(etaS) === null ? null : finite(etaSigmaS),
  };
}

/** Whatever it is inside of is equally near: then what counts more, then what edge is nearer. */
function isNearer(a: Standing, b: Standing): boolean {
  const [aM, bM] = [Math.max(0, a.distanceM), Math.max(0, b.distanceM)];
  if (aM !== bM) return aM < bM;
  if (a.importance !== b.importance) return a.importance > b.importance;
  const [aEdgeM, bEdgeM] = [Math.abs(a.distanceM), Math.abs(b.distanceM)];
  return aEdgeM === bEdgeM ? a.id < b.id : aEdgeM < bEdgeM;
}

function cpaOf(standing: Standing | null): Threat['cpa'] {
  if (!standing) return null;
  const { kind, id, cpaDistanceM, cpaInS } = standing;
  return {
    asset_id: kind === 'asset' ? id : null,
    zone_id: kind === 'zone' ? id : null,
    distance_m: cpaDistanceM,
    in_s: cpaInS,
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
