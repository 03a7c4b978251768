import { randomUUID } from 'node:crypto';
import type { Response } from '../model/doctrine.ts';
import type { Plan } from '../model/engagement.ts';
import { formatTime } from '../model/time.ts';
import { contentHash } from '../registry/doctrine/hash.ts';
import { homeward } from './homeward.ts';
import { maneuvers } from './legs.ts';
import { approvalsFor, offered, releaseOf } from './offer.ts';
import { drafted } from './pairing.ts';
import { risksOf } from './risks.ts';
import { type Case, type Drafted, MOST_REASONS, type Round } from './round.ts';

/** Telling somebody costs nothing and moves nothing; it helps less than looking. */
const NOTICE_COST = 0.5;

/**
 * Plans for every case of a round at once, each response matched over all of them. They are not sealed yet: most are the
 * same as those that people are reading, and are let go again.
 */
export function plansOf(round: Round): Map<string, Plan[]> {
  const plans = new Map<string, Plan[]>(round.cases.map(({ track }) => [track.id, []]));
  const responses = new Set(round.cases.flatMap(({ row }) => offered(row)));
  for (const response of responses) {
    const cases = round.cases.filter(({ row }) => row.offer.includes(response));
    const drafts = draftsOf(round, response, cases);
    for (const [i, one] of cases.entries()) {
      const draft = drafts[i];
      if (draft) plans.get(one.track.id)?.push(planOf(round, one, response, draft));
    }
  }
  // In the order in which the doctrine offers them.
  for (const { track, row } of round.cases)
    plans.get(track.id)?.sort((a, b) => row.offer.indexOf(a.response) - row.offer.indexOf(b.response));
  return plans;
}

function draftsOf(round: Round, response: Response, cases: readonly Case[]): Drafted[] {
  const maneuver = maneuvers[response];
  if (maneuver) return drafted(round, response, maneuver, cases);
  if (response === 'return') return cases.map((one) => homeward(round, one));
  return cases.map(() => ({ legs: [], cost: NOTICE_COST, dropped: [] }));
}

function planOf(round: Round, one: Case, response: Response, { legs, cost, dropped }: Drafted): Plan {
  const { doctrine, policy, policyVersion, utcMs } = round;
  const release = releaseOf(doctrine, response);
  const used = legs.map(({ verb }) => verb);
  const expiresS = Math.min(policy.engagement.plan_ttl_s, release.expires_s);
  const feasible = response === 'notify' || legs.length > 0;
  const reasons = dropped.map(({ assetId, reason, text }) => ({ asset_id: assetId, reason, text }));
  if (!feasible && reasons.length === 0)
    reasons.push({ asset_id: null, reason: 'not_adopted', text: 'there is no vehicle that could' });
  const content = {
    track_id: one.track.id,
    response,
    legs,
    feasible,
    infeasible_reasons: reasons.slice(0, MOST_REASONS),
    risks: risksOf(round, one, legs),
    required_approvals: approvalsFor(one.row, release, policy.engagement.two_person, used),
    expires_at: formatTime(utcMs + expiresS * 1_000),
    policy_version: policyVersion,
    provenance: one.track.provenance,
  };
  const score = feasible ? Math.round(Math.min(1, Math.max(0, 1 - cost)) * 1_000) / 10 : 0;
  return { id: '', hash: '', ...content, score };
}

/** A plan with its id and the hash over everything but these and its score. */
export function sealed(plan: Plan): Plan {
  return { ...plan, id: randomUUID(), hash: hashOf(plan) };
}

/** Sentence where a plan differs from its hash, which is what a person agreed to; null where it is intact. */
export function brokenSeal(plan: Plan): string | null {
  return hashOf(plan) === plan.hash ? null : 'the plan is not what its hash says';
}

function hashOf({ id: _id, score: _score, ...content }: Plan): string {
  return contentHash(content);
}
