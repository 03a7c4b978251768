import type { Plan, PlanLeg } from '../model/engagement.ts';
import type { Track } from '../model/track.ts';
import { verbs } from '../model/verb.ts';
import { approvalsAgainst } from './approvals.ts';
import type { EngagementDeps, MatrixRow } from './deps.ts';
import { deadlineOf, type Held } from './held.ts';
import { liftoffOf } from './liftoff.ts';
import { approvalsFor, releaseOf } from './offer.ts';

export type Known = {
  deps: EngagementDeps;
  /** Returns the doctrine's row for a track as it is now; null if the doctrine offers nothing. */
  rowOf(track: Track): MatrixRow | null;
  /**
   * Returns the track label of the approved engagement, other than `engagementId`, that a vehicle serves; null if none.
   */
  elsewhere(assetId: string, engagementId: string | null): string | null;
};

/**
 * Returns the objection to a plan as a sentence; null if the plan can be carried out unchanged. This is checked at each
 * approval, and again before each vehicle gets its first order.
 */
export function standsAgainst(
  known: Known,
  held: Held,
  plan: Plan,
  legs: readonly PlanLeg[] = plan.legs,
): string | null {
  if (known.deps.nowMs() >= deadlineOf(held, plan.id)) return `the plan expired at ${plan.expires_at}`;
  return goesOnAgainst(known, held, plan, legs);
}

/** Like `standsAgainst`, but ignores the expiry: a plan that was begun in time may continue beyond it. */
export function goesOnAgainst(known: Known, held: Held, plan: Plan, legs: readonly PlanLeg[]): string | null {
  const track = known.deps.track(plan.track_id);
  const against =
    approvalsAgainst(known.deps, held, plan) ??
    termsAgainst(known, held, plan) ??
    trackAgainst(known, held, plan, track);
  if (against !== null || !track) return against;
  for (const [index, leg] of legs.entries()) {
    const before = legs.slice(0, index).filter(({ asset_id }) => asset_id !== leg.asset_id);
    const liftoff = liftoffOf(legs, leg);
    const why = legAgainst(known, held, leg, liftoff, track) ?? known.deps.check(leg, liftoff, before)?.text;
    if (why !== undefined) return why;
  }
  return null;
}

function termsAgainst({ deps }: Known, held: Held, plan: Plan): string | null {
  if (!plan.feasible)
    return `the plan is not feasible: ${plan.infeasible_reasons[0]?.text ?? 'no vehicle can carry it out'}`;
  const { version } = deps.policy();
  if (version !== plan.policy_version)
    return `the plan was made under version ${plan.policy_version} of the decision config, whose version is ${version} now`;
  const doctrine = deps.doctrine().version;
  if (doctrine !== held.basis.doctrineVersion)
    return `the plan was made under another version of the doctrine, whose version is ${doctrine} now`;
  return null;
}

function trackAgainst(known: Known, { basis }: Held, plan: Plan, track: Track | undefined): string | null {
  if (!track) return `the track ${basis.label} has ended`;
  const { number, state, affiliation, last_seen_at } = track;
  if (state === 'closed' || state === 'lost') return `the track ${number} is ${state}`;
  const { deps } = known;
  const { policy } = deps.policy();
  const ageS = (deps.utcMs() - Date.parse(last_seen_at)) / 1_000;
  const most = policy.engagement.max_track_age_s;
  if (ageS > most)
    return `${number} was last received ${Math.round(ageS)} s ago, longer than max_track_age_s (${most} s)`;
  if (affiliation !== basis.affiliation)
    return `the affiliation of ${number} was ${basis.affiliation} when the plan was made, and is ${affiliation} now`;
  const row = known.rowOf(track);
  const release = releaseOf(deps.doctrine().body, plan.response);
  const used = plan.legs.map(({ verb }) => verb);
  if (row && approvalsFor(row, release, policy.engagement.two_person, used) > plan.required_approvals)
    return `${number} is a greater threat now, and the plan needs more approvals than when it was made`;
  return null;
}

function legAgainst(
  known: Known,
  { engagement }: Held,
  leg: PlanLeg,
  liftoff: PlanLeg | null,
  track: Track,
): string | null {
  const { deps } = known;
  const row = deps.fleet().find((vehicle) => vehicle.row.asset_id === leg.asset_id)?.row;
  if (!row) return `the vehicle with the asset id ${leg.asset_id} is not in the fleet`;
  const { name, provenance, energy_pct: energy } = row;
  if (provenance !== track.provenance)
    return `${name} is ${provenance} and ${track.number} is ${track.provenance}: they are in different worlds`;
  const state = row.verbs.find(({ verb }) => verb === leg.verb);
  // After its take-off the vehicle is no longer on the ground. The check of the take-off leg decides whether it can
  // take off.
  const isUpThen = liftoff !== null && state?.reason === 'on_ground';
  if (!state?.available && !isUpThen) return state?.text ?? `${name} cannot ${leg.verb}`;
  const { class: kind } = verbs[leg.verb];
  const other = kind === 'safer' ? null : known.elsewhere(leg.asset_id, engagement.id);
  if (other !== null) return servesText(name, other);
  if (kind === 'movement') {
    const reserve = deps.policy().policy.engagement.reserve_pct;
    const after = deps.energy(leg)?.afterPct ?? leg.energy_after_pct;
    if (energy === null || energy < reserve || (after !== null && after < reserve))
      return `${name} has too little energy: ${energy ?? 'an unknown number of'} % now, ${after ?? '?'} % when it is home again, and its reserve is ${reserve} %`;
  }
  return null;
}

/** Returns the reason why a vehicle cannot serve a plan while it serves the engagement of the track `label`. */
export function servesText(name: string, label: string): string {
  return `${name} already serves the engagement of ${label}`;
}
