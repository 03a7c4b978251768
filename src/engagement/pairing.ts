import type { Response } from '../model/doctrine.ts';
import type { PlanLeg } from '../model/engagement.ts';
import type { Refusal } from '../model/fleet.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';
import type { Verb } from '../model/verb.ts';
import { type Maneuver, paramsOf } from './legs.ts';
import { canLiftOff, heightOf, LEAST_LIFT_M, liftFor, liftoffOf } from './liftoff.ts';
import { type Matching, type MatchTarget, MOST_MATCHED, match, type Pair } from './matching.ts';
import { apartM, still } from './plane.ts';
import { type Case, type Drafted, type Dropped, MOST_REASONS, type Placed, type Round } from './round.ts';
import { servesText } from './standing.ts';

/** Planning constants, s: time on station, and the longest transit. */
const STATION_S = 120;
const HORIZON_S = 600;
/** Greatest number of matchings. Each repetition excludes the pairs that a check refused. */
const TRIES = 3;
/** Number of reasons from which on no more are added if at least one vehicle goes. */
const FEW_REASONS = 8;

/** The verb that a vehicle uses for a case, and whether it must take off first; or why it cannot take part. */
type Choice = { verb: Verb; lifts: boolean } | Refusal;

/**
 * Matches vehicles to the cases (tracks) of one response. Item i of the result is the draft for `cases[i]`; cases
 * beyond `MOST_MATCHED` get none.
 */
export function drafted(round: Round, response: Response, maneuver: Maneuver, cases: readonly Case[]): Drafted[] {
  const placed = round.placed.slice(0, MOST_MATCHED);
  const able = cases.slice(0, MOST_MATCHED);
  const targets = able.map((one) => targetOf(round, response, one));
  const usable = placed.map((of) => usableOf(of, maneuver));
  const choices = able.map((one, i) =>
    placed.map((of, j) => exceptionOf(round, of, one, response, targets[i] ?? null) ?? usable[j] ?? nothing),
  );
  const settings = {
    weights: round.profile.weights,
    moving: maneuver.moving,
    stationS: STATION_S,
    horizonS: HORIZON_S,
  };
  const known = targets.map((target) => target ?? nowhere);
  const spots = placed.map(({ at }) => at);
  let matching: Matching | null = null;
  for (let tried = 0; tried < TRIES && placed.length > 0; tried++) {
    matching = match(spots, known, allowedOf(choices, placed.length), settings);
    if (!refuseUnsafe(round, able, matching, choices, placed)) break;
    // After the last try, `draftOf` leaves out the pairs that were refused.
  }
  return able.map((one, i) => draftOf(round, one, i, matching, choices[i] ?? [], placed));
}

function allowedOf(choices: readonly (readonly Choice[])[], width: number): Uint8Array {
  const allowed = new Uint8Array(choices.length * width);
  for (const [i, row] of choices.entries())
    for (let j = 0; j < width; j++) if (row[j] && 'verb' in (row[j] as Choice)) allowed[i * width + j] = 1;
  return allowed;
}

const nothing: Refusal = { reason: 'not_advertised', text: 'the vehicle cannot carry out this response' };
const nowhere: MatchTarget = {
  ...{ eastM: 0, northM: 0, upM: 0, velocity: still },
  ...{ standoffM: 0, weight: 0, wanted: 1 },
};

/**
 * Destination of the vehicles: for an escort the vehicle to protect, otherwise the track. If the asset to protect is no
 * vehicle in the plane, it is also the track. Null if there is no asset to escort, or the position of the track is
 * unknown.
 */
function targetOf({ plane, placed, policy, profile }: Round, response: Response, one: Case): MatchTarget | null {
  const most = Math.min(policy.engagement.max_assets, profile.max_assets);
  const terms = { standoffM: policy.engagement.standoff_m, weight: one.score / 100, wanted: wantedAt(one.level, most) };
  if (response === 'escort') {
    const ward = placed.find(({ assetId }) => assetId === one.wardId);
    if (ward) return { ...ward.at, velocity: still, ...terms, wanted: 1 };
    if (one.wardId === null) return null;
  }
  const { position } = one.track;
  return position && { ...plane.spot(position), velocity: plane.velocity(one.track), ...terms };
}

/** Number of vehicles wanted for a track: 1 below level high, otherwise `most`. */
function wantedAt(level: ThreatLevel, most: number): number {
  return threatLevels.indexOf(level) >= threatLevels.indexOf('high') ? most : 1;
}

/** Reason why a vehicle cannot serve this case; null if there is none. Independent of what the vehicle can do. */
function exceptionOf(
  { cameras }: Round,
  { vehicle: { row }, assetId, serves }: Placed,
  one: Case,
  response: Response,
  target: MatchTarget | null,
): Refusal | null {
  const { number, provenance, asset_id } = one.track;
  if (response === 'escort' && one.wardId === null)
    return { reason: 'no_position', text: 'the track approaches none of our assets' };
  if (target === null) return { reason: 'no_position', text: `the position of ${number} is unknown` };
  if (assetId === asset_id || (response === 'escort' && assetId === one.wardId))
    return { reason: 'busy', text: `${row.name} is itself the subject of the plan` };
  if (serves !== null) return { reason: 'busy', text: servesText(row.name, serves) };
  if (threatLevels.indexOf(one.level) < (cameras.get(assetId) ?? 0))
    return { reason: 'busy', text: `the camera of ${row.name} is in use` };
  if (row.provenance !== provenance)
    return {
      reason: 'policy_denied',
      text: `${row.name} is ${row.provenance} and ${number} is ${provenance}: they are in different worlds`,
    };
  return null;
}

/** Returns the first verb of the maneuver that the vehicle can use now, or why it can use none. */
function usableOf({ vehicle: { row } }: Placed, maneuver: Maneuver): Choice {
  let why: Refusal | null = null;
  for (const verb of maneuver.verbs) {
    const state = row.verbs.find((known) => known.verb === verb);
    const lifts = maneuver.moving && state?.reason === 'on_ground' && canLiftOff(row);
    if (state?.available || lifts) {
      const text = `${row.name} does not report its remaining energy`;
      return maneuver.moving && row.energy_pct === null ? { reason: 'low_energy', text } : { verb, lifts };
    }
    const liftoff = state?.reason === 'on_ground' && row.verbs.find((known) => known.verb === 'takeoff');
    if (liftoff) why ??= { reason: liftoff.reason ?? 'on_ground', text: liftoff.text ?? `${row.name} cannot take off` };
    else if (state)
      why ??= { reason: state.reason ?? 'policy_denied', text: state.text ?? `${row.name} cannot ${verb} now` };
  }
  return why ?? { reason: 'not_advertised', text: `${row.name} cannot ${maneuver.verbs.join(' or ')}` };
}

function tooLittle(name: string, afterPct: number, reservePct: number, after: string): Refusal {
  const left = `${name} would come home with ${Math.round(afterPct)} % of its energy after ${after}`;
  return { reason: 'low_energy', text: `${left}; its reserve is ${reservePct} %` };
}

/** Checks the chosen pairs, and marks in `choices` the pairs that a check refuses. Returns true if there are any. */
function refuseUnsafe(
  round: Round,
  cases: readonly Case[],
  matching: Matching,
  choices: Choice[][],
  placed: readonly Placed[],
): boolean {
  let refused = false;
  for (const [i, vehicles] of matching.vehicles.entries()) {
    // All vehicles of a plan go or none does. A vehicle that would conflict with an earlier vehicle of the plan is
    // therefore refused.
    const before: PlanLeg[] = [];
    for (const j of vehicles) {
      const legs = legsOf(round, cases[i], placed[j], choices[i]?.[j], matching.pair(i, j));
      const refusal = refusalOf(round, legs, placed[j], before);
      const row = choices[i];
      if (!refusal || !row) {
        before.push(...legs);
        continue;
      }
      row[j] = refusal;
      refused = true;
    }
  }
  return refused;
}

/** Checks the legs of a vehicle in order. Returns the first refusal; null if there is none. */
function refusalOf(
  { advice }: Round,
  legs: readonly PlanLeg[],
  placed: Placed | undefined,
  before: readonly PlanLeg[],
): Refusal | null {
  for (const leg of legs) {
    const liftoff = liftoffOf(legs, leg);
    const { energy_after_pct: after } = leg;
    // The matching ignores the energy of climb and descent.
    if (placed && liftoff && after !== null && after < placed.at.reservePct) {
      return tooLittle(placed.vehicle.row.name, after, placed.at.reservePct, 'its take-off');
    }
    const refusal = advice.check(leg, liftoff, before);
    if (refusal) return refusal;
  }
  return null;
}

function draftOf(
  round: Round,
  one: Case,
  i: number,
  matching: Matching | null,
  choices: readonly Choice[],
  placed: readonly Placed[],
): Drafted {
  const legs: PlanLeg[] = [];
  let cost = 0;
  const chosen = new Set<number>();
  for (const j of matching?.vehicles[i] ?? []) {
    const pair = matching?.pair(i, j);
    const flown = pair ? legsOf(round, one, placed[j], choices[j], pair) : [];
    if (!pair || flown.length === 0) continue;
    legs.push(...flown);
    cost += pair.cost;
    chosen.add(j);
  }
  const dropped: Dropped[] = [...round.left];
  for (const [j, { assetId, vehicle, at }] of placed.entries()) {
    if (dropped.length >= (legs.length > 0 ? FEW_REASONS : MOST_REASONS)) break;
    if (chosen.has(j)) continue;
    const choice = choices[j];
    const pair = matching?.pair(i, j);
    if (choice && !('verb' in choice)) dropped.push({ assetId, ...choice });
    // If other vehicles go, a suitable vehicle that was not chosen needs no reason.
    else if (pair && (pair.why !== 'fits' || legs.length === 0))
      dropped.push({ assetId, ...sentenceOf(pair, vehicle.row.name, at.reservePct, one) });
  }
  return { legs, cost: chosen.size > 0 ? cost / chosen.size : 0, dropped };
}

/** Returns the legs of a vehicle in their order; empty if it takes no part. */
function legsOf(
  round: Round,
  one: Case | undefined,
  placed: Placed | undefined,
  choice: Choice | undefined,
  pair: Pair,
): PlanLeg[] {
  if (!one || !placed || !choice || !('verb' in choice)) return [];
  const { policy, advice } = round;
  const liftoff = choice.lifts ? liftoffLeg(round, one, placed) : null;
  const { climbMps, drainPctS } = placed.at;
  const climbS = heightOf(liftoff) / climbMps;
  // The time of the pair already includes the least climb. The descent costs energy but does not delay this leg.
  const restS = liftoff ? Math.max(0, climbS - LEAST_LIFT_M / climbMps) : 0;
  const after = pair.energyAfterPct - 2 * climbS * drainPctS;
  const leg: PlanLeg = {
    asset_id: placed.assetId,
    verb: choice.verb,
    params: paramsOf(choice.verb, one.track, policy.engagement.standoff_m, one.wardId),
    eta_s: tenth(pair.timeS + restS),
    energy_after_pct: placed.vehicle.row.energy_pct === null ? null : tenth(after),
    closest_m: Math.round(pair.closestM),
  };
  const better = advice.energy(leg);
  const known = better
    ? { ...leg, eta_s: better.etaS, energy_after_pct: better.afterPct, closest_m: better.closestM }
    : leg;
  return liftoff ? [liftoff, known] : [known];
}

/** Creates the take-off leg of a vehicle on the ground. */
function liftoffLeg({ policy, plane }: Round, { track }: Case, { assetId, at, vehicle }: Placed): PlanLeg {
  const heightM = liftFor(vehicle, track, policy);
  const climbS = heightM / at.climbMps;
  const there = track.position && plane.spot(track.position);
  return {
    ...{ asset_id: assetId, verb: 'takeoff', params: { kind: 'value', height_m: heightM } },
    eta_s: tenth(at.launchS + Math.max(0, climbS - LEAST_LIFT_M / at.climbMps)),
    energy_after_pct: vehicle.row.energy_pct === null ? null : tenth(at.energyPct - 2 * climbS * at.drainPctS),
    closest_m: there && Math.round(apartM(there, at)),
  };
}

function sentenceOf({ why, timeS, energyAfterPct }: Pair, name: string, reservePct: number, { track }: Case): Refusal {
  switch (why) {
    case 'out_of_reach':
      return {
        reason: 'out_of_range',
        text: `${name} would have to fly farther from home than its range limit allows`,
      };
    case 'too_slow': {
      const text = `${name} does not catch up with ${track.number} within ${HORIZON_S / 60} min`;
      return { reason: 'out_of_range', text };
    }
    case 'low_energy':
      return tooLittle(name, energyAfterPct, reservePct, `a flight of ${Math.round(timeS)} s to the track`);
    case 'sees_nothing':
      return { reason: 'out_of_range', text: `the camera of ${name} does not reach as far as ${track.number}` };
    default:
      return { reason: 'busy', text: `${name} is needed more for another track` };
  }
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
