import { randomUUID } from 'node:crypto';
import type { Response } from '../model/doctrine.ts';
import type { Plan, PlanLeg } from '../model/engagement.ts';
import { formatTime } from '../model/time.ts';
import type { Track } from '../model/track.ts';
import { verbs } from '../model/verb.ts';
import { contentHash } from '../registry/doctrine/hash.ts';
import { maneuvers } from './legs.ts';
import { liftoffOf } from './liftoff.ts';
import { approvalsFor, offered, releaseOf } from './offer.ts';
import { drafted } from './pairing.ts';
import { apartM } from './plane.ts';
import { type Case, type Drafted, type Dropped, MOST_REASONS, type Round } from './round.ts';

/** Distance from the track within which crewed aircraft are listed as a risk, m. */
const CREWED_NEAR_M = 3_000;
/** Margin, % of full energy. A vehicle that keeps less than its reserve plus this margin is listed as a risk. */
const SPARE_PCT = 10;
const crewed: ReadonlySet<string> = new Set(['crewed_aircraft', 'helicopter', 'glider', 'airship', 'balloon']);

/** Risks that the approver must know, in sentences. */
function risksOf(round: Round, one: Case, legs: readonly PlanLeg[]): string[] {
  const { track } = one;
  const said: string[] = [];
  if (track.integrity.verdict === 'suspect') said.push(`The claims of ${track.number} are suspect.`);
  if (track.flags.includes('id_duplicate')) said.push(`The identity of ${track.number} is received elsewhere too.`);
  if (track.state === 'tentative') said.push(`${track.number} is not confirmed yet.`);
  if (track.state === 'coasting') said.push(`${track.number} is not received now: its position is a prediction.`);
  if (track.position?.alt_hae_m === null) said.push(`The height of ${track.number} is unknown.`);
  const moving = legs.filter(({ verb }) => verbs[verb].class === 'movement');
  if (moving.length > 0) said.push(...crewedNear(round, track));
  for (const leg of moving) {
    const liftoff = liftoffOf(moving, leg);
    // A take-off adds only the risks of the climb. The leg after the take-off adds the other risks of the vehicle.
    if (leg.verb !== 'takeoff') said.push(...ofLeg(round, one, leg));
    said.push(...round.advice.risks(leg, liftoff));
  }
  return [...new Set(said)];
}

function ofLeg({ placed, profile, policy }: Round, { track }: Case, leg: PlanLeg): string[] {
  const said: string[] = [];
  const vehicle = placed.find(({ assetId }) => assetId === leg.asset_id);
  const name = vehicle?.vehicle.row.name ?? 'A vehicle';
  const reserve = Math.max(vehicle?.at.reservePct ?? 0, profile.reserve_pct, policy.engagement.reserve_pct);
  const { energy_after_pct: after } = leg;
  if (after !== null && after < reserve + SPARE_PCT)
    said.push(`${name} comes home with ${Math.round(after)} % of its energy; its reserve is ${reserve} %.`);
  const speed = track.velocity?.speed_mps ?? 0;
  if (vehicle && speed > vehicle.at.speedMps)
    said.push(`${track.number} flies faster (${Math.round(speed)} m/s) than the planned speed of ${name}.`);
  return said;
}

function crewedNear({ tracks, plane }: Round, track: Track): string[] {
  const { position } = track;
  if (!position) return [];
  const at = plane.spot(position);
  const said: string[] = [];
  for (const other of tracks) {
    if (other.id === track.id || !other.position || !other.classification.some(({ type }) => crewed.has(type)))
      continue;
    const away = apartM(plane.spot(other.position), at);
    if (away <= CREWED_NEAR_M)
      said.push(`${other.number}, with people on board, is ${Math.round(away)} m from ${track.number}.`);
  }
  return said.slice(0, 3);
}

/** Distance from a track within which own vehicles return home: this many standoffs, but at least `NEAR_M`. */
const NEAR_STANDOFFS = 5;
const NEAR_M = 1_000;

/**
 * Drafts the return of own vehicles near a track, the nearest first. If the track belongs to an asset, only the vehicle
 * of this asset returns.
 */
function homeward(round: Round, one: Case): Drafted {
  const { policy, plane, profile } = round;
  const { position } = one.track;
  const at = position && plane.spot(position);
  const nearM = Math.max(NEAR_M, NEAR_STANDOFFS * policy.engagement.standoff_m);
  const most = Math.min(policy.engagement.max_assets, profile.max_assets);
  const near = round.placed
    .map((placed) => ({
      ...placed,
      away: at ? apartM(at, placed.at) : Infinity,
      itself: placed.assetId === one.track.asset_id,
    }))
    .filter(({ itself, away }) => itself || (one.track.asset_id === null && away <= nearM))
    .sort((a, b) => Number(b.itself) - Number(a.itself) || a.away - b.away);
  const dropped: Dropped[] = [];
  const legs: Drafted['legs'] = [];
  for (const { vehicle, assetId, at: from, away, itself } of near) {
    const { row } = vehicle;
    const verb = row.verbs.find((known) => known.verb === 'return_home');
    if (row.landed === 'on_ground' || row.provenance !== one.track.provenance) continue;
    if (!verb?.available) {
      const text = verb?.text ?? `${row.name} cannot be called home`;
      dropped.push({ assetId, reason: verb?.reason ?? 'not_advertised', text });
    } else if (legs.length < most) {
      const home = apartM(from, from.home) / from.speedMps;
      legs.push({
        ...{ asset_id: assetId, verb: 'return_home', params: { kind: 'none' } },
        eta_s: Math.round(home * 10) / 10,
        energy_after_pct:
          row.energy_pct === null ? null : Math.round((from.energyPct - home * from.drainPctS) * 10) / 10,
        closest_m: itself || away === Infinity ? null : Math.round(away),
      });
    }
  }
  if (legs.length === 0 && dropped.length === 0)
    dropped.push({ assetId: null, reason: 'on_ground', text: noneFlies(one, nearM) });
  return { legs, cost: 0.2, dropped };
}

/** Returns why a plan with the response `return` has no vehicle. Only an own vehicle that is itself the track may return. */
function noneFlies({ track: { number, asset_id, position } }: Case, nearM: number): string {
  if (asset_id !== null) return `the asset of ${number} is no own vehicle in the air, so it cannot return`;
  if (position === null) return `the position of ${number} is unknown`;
  return `no own vehicle with a known position flies within ${Math.round(nearM)} m of ${number}`;
}

/** Cost of a notification, 0 to 1: it moves nothing, but is less useful than observing. */
const NOTICE_COST = 0.5;

/**
 * Makes plans for all cases of a round. Each response is matched at once over the cases that offer it. The plans get no
 * id and hash yet, because most of them equal the proposed plans and are dropped.
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
  // Sorts the plans of each track by the doctrine's order of responses.
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
    reasons.push({ asset_id: null, reason: 'not_adopted', text: 'no vehicle can carry out this response' });
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

/** Returns the plan with a new id and a hash over all fields except id, hash and score. */
export function sealed(plan: Plan): Plan {
  return { ...plan, id: randomUUID(), hash: hashOf(plan) };
}

/** Returns a sentence if a plan does not match its hash, which a person approved; null if it matches. */
export function brokenSeal(plan: Plan): string | null {
  return hashOf(plan) === plan.hash ? null : 'the plan does not match its hash';
}

function hashOf({ id: _id, score: _score, ...content }: Plan): string {
  return contentHash(content);
}
