import type { Plan, PlanLeg } from '../../model/engagement.ts';
import type { Track } from '../../model/track.ts';
import { verbs } from '../../model/verb.ts';
import { deadlineOf, type Held } from './held.ts';
import type { EngagementRim } from './rim.ts';

export type Known = Pick<
  EngagementRim,
  'policy' | 'doctrine' | 'track' | 'fleet' | 'check' | 'energy' | 'nowMs' | 'utcMs'
> & {
  /** The engagement, by its track, that a vehicle is in; null where it is in none but this one. */
  elsewhere(assetId: string, engagementId: string): string | null;
};

/**
 * What stands against a plan now, as a sentence; null where it is still what was agreed to and can be done. It is asked when a person
 * approves, when the next one does, and again before each vehicle is told.
 */
export function standsAgainst(
  known: Known,
  held: Held,
  plan: Plan,
  legs: readonly PlanLeg[] = plan.legs,
): string | null {
  return (
    termsAgainst(known, held, plan) ??
    trackAgainst(known, held, known.track(plan.track_id)) ??
    firstOf(legs, (leg) => legAgainst(known, held, leg))
  );
}

function termsAgainst({ nowMs, policy, doctrine }: Known, held: Held, plan: Plan): string | null {
  if (nowMs() >= deadlineOf(held, plan.id)) return `the plan expired at ${plan.expires_at}`;
  if (!plan.feasible) return `the plan cannot be done: ${plan.infeasible_reasons[0]?.text ?? 'no vehicle can'}`;
  const { version } = policy();
  if (version !== plan.policy_version)
    return `the plan was made under version ${plan.policy_version} of the decision config, which is at ${version} now`;
  if (doctrine().version !== held.basis.doctrineVersion)
    return `the doctrine is another (version ${doctrine().version}) than the plan was made under`;
  return null;
}

function trackAgainst({ policy, utcMs }: Known, { basis }: Held, track: Track | undefined): string | null {
  if (!track) return `${basis.label} is gone`;
  const { number, state, affiliation, last_seen_at } = track;
  if (state === 'closed' || state === 'lost') return `${number} is ${state}`;
  const ageS = (utcMs() - Date.parse(last_seen_at)) / 1_000;
  const most = policy().policy.engagement.max_track_age_s;
  if (ageS > most) return `${number} was last heard ${Math.round(ageS)} s ago, longer than max_track_age_s (${most} s)`;
  if (affiliation !== basis.affiliation)
    return `${number} was held for ${basis.affiliation} when the plan was made, and is held for ${affiliation} now`;
  return null;
}

function legAgainst(known: Known, { engagement }: Held, leg: PlanLeg): string | null {
  const vehicle = known.fleet().find(({ row }) => row.asset_id === leg.asset_id);
  if (!vehicle) return `the vehicle with the asset id ${leg.asset_id} is not in the fleet`;
  const { row } = vehicle;
  const track = known.track(engagement.track_id);
  if (track && row.provenance !== track.provenance)
    return `${row.name} is ${row.provenance} and ${track.number} is ${track.provenance}: they are not of one world`;
  const state = row.verbs.find(({ verb }) => verb === leg.verb);
  if (!state?.available) return state?.text ?? `${row.name} cannot ${leg.verb}`;
  if (verbs[leg.verb].class !== 'safer') {
    const other = known.elsewhere(leg.asset_id, engagement.id);
    if (other !== null) return `${row.name} is busy with ${other}`;
  }
  if (verbs[leg.verb].class === 'movement') {
    const reserve = known.policy().policy.engagement.reserve_pct;
    const after = known.energy(leg)?.afterPct ?? leg.energy_after_pct;
    if (row.energy_pct === null || row.energy_pct < reserve || (after !== null && after < reserve))
      return `${row.name} has too little energy: ${row.energy_pct ?? 'nobody knows how many'} % now, ${after ?? '?'} % when it is home again, and its reserve is ${reserve} %`;
  }
  return known.check(leg)?.text ?? null;
}

function firstOf<T>(values: readonly T[], ask: (value: T) => string | null): string | null {
  for (const value of values) {
    const answer = ask(value);
    if (answer !== null) return answer;
  }
  return null;
}
