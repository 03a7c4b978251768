import type { PlanLeg } from '../model/engagement.ts';
import type { Track } from '../model/track.ts';
import { verbs } from '../model/verb.ts';
import { liftoffOf } from './liftoff.ts';
import { apartM } from './plane.ts';
import type { Case, Round } from './round.ts';

/** People on board so near are told of before one of ours takes off after a track. */
const CREWED_NEAR_M = 3_000;
/** Energy over the reserve that is called low. */
const SPARE_PCT = 10;
const crewed: ReadonlySet<string> = new Set(['crewed_aircraft', 'helicopter', 'glider', 'airship', 'balloon']);

/** Risks that an approver should have read, in sentences. */
export function risksOf(round: Round, one: Case, legs: readonly PlanLeg[]): string[] {
  const { track } = one;
  const said: string[] = [];
  if (track.integrity.verdict === 'suspect') said.push(`What ${track.number} says of itself is not borne out.`);
  if (track.flags.includes('id_duplicate')) said.push(`The identity of ${track.number} is received elsewhere too.`);
  if (track.state === 'tentative') said.push(`${track.number} is not confirmed yet.`);
  if (track.state === 'coasting') said.push(`${track.number} is not received now: its position is a prediction.`);
  if (track.position?.alt_hae_m === null) said.push(`The height of ${track.number} is unknown.`);
  const moving = legs.filter(({ verb }) => verbs[verb].class === 'movement');
  if (moving.length > 0) said.push(...crewedNear(round, track));
  for (const leg of moving) {
    const liftoff = liftoffOf(moving, leg);
    // For a vehicle that takes off first, all but its way up is reported of the leg that follows.
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
    said.push(`${track.number} flies faster (${Math.round(speed)} m/s) than ${name} is planned with.`);
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
