import type { Refusal } from '../model/fleet.ts';
import type { LinkPolicy } from '../model/link.ts';
import { isMovement, type Verb, verbs } from '../model/verb.ts';
import { takenText } from './cause.ts';
import type { LinkSigns } from './deps.ts';
import type { Vehicle } from './vehicle.ts';
import { type Because, whyNotByVerb } from './verbs.ts';

/** A vehicle is silent after five missed heartbeats, one a second (MAVLink guide: four to five). */
export const SILENT_AFTER_MS = 5_000;
/** Greatest age of telemetry that guidance uses, ms. */
export const FRESH_MS = 3_000;
/** Time after its last heartbeat for which another ground station counts as present, ms. */
export const OTHER_STATION_MS = 10_000;

/** Time within which an ordered take-off shows in telemetry, ms. */
const LEAVES_WITHIN_MS = 20_000;

export const SENT_ELSEWHERE = 'another station sent it elsewhere';
export const KEY_MISSING = 'it signs what it sends and ignores what is not signed; set its key on the link';

/** Facts besides the vehicle's own reports that decide on its verbs. */
export type Standing = {
  /** Name for people. */
  name: string;
  adopted: boolean;
  /** Policy of the link that commands would take; null where the vehicle is received on none. */
  policy: LinkPolicy['effective'] | null;
  /** True where the switch of the box forbids discovery. */
  discoveryOff: boolean;
  signing: LinkSigns;
  signed: boolean;
  /** The vehicle signs, and the link has no key: the vehicle ignores our messages without an answer. */
  ignoresUs: boolean;
  featureOff: boolean;
  /** Reason why the vehicle cannot be distinguished from another one: no movement is sent meanwhile. */
  conflict: string | null;
  /** One address is believed to be the vehicle despite the conflict: `safer` verbs and `land` go there. */
  believesOne: boolean;
  /** Address that claims to be this vehicle and is not believed; null where there is none. */
  disbelieved: string | null;
  /** System id of another ground station on the link; null where there is none. */
  otherStation: number | null;
  reservePct: number;
};

/** Why a verb that the vehicle advertises cannot be used now; null where it can. The sentence names the verb and the asset. */
export function whyNot(verb: Verb, vehicle: Vehicle, standing: Standing, nowMs: number): Refusal | null {
  const because = (reason: Refusal['reason'], text: string): Refusal => ({
    reason,
    text: `${verb} is not available on ${standing.name}: ${text}`,
  });
  return (
    whyNotAtAll(verb, standing, because) ??
    whyNotReached(vehicle, standing, nowMs, because) ??
    (verbs[verb].class === 'observation'
      ? null
      : (whyNotNow(verb, vehicle, nowMs, because) ?? whyNotMine(verb, vehicle, standing, because)))
  );
}

/**
 * Why no further order may be sent to a vehicle that flies under a command of ours; null where it may. The vehicle's
 * silence is no reason here.
 */
export function whyNotLed(verb: Verb, standing: Standing): Refusal | null {
  const because = (reason: Refusal['reason'], text: string): Refusal => ({ reason, text });
  const refusal = whyNotAtAll(verb, standing, because);
  if (refusal || standing.policy === null) return refusal;
  if (standing.signing === 'keyless') return because('signing_missing', 'its link demands signatures and has no key');
  return standing.policy.command === 'deny' ? deniedBy(standing.policy, because) : null;
}

function deniedBy({ reason }: LinkPolicy['effective'], because: Because): Refusal {
  return because('policy_denied', reason ?? "the link's own policy lets no command out");
}

function whyNotAtAll(verb: Verb, standing: Standing, because: Because): Refusal | null {
  if (standing.featureOff) return because('feature_off', 'commanding is switched off by the configuration');
  if (!standing.adopted) return because('not_adopted', 'it is not adopted: bind it to an asset first');
  // A forged sender must not be able to block a person's hold, return home or landing.
  const isSafe = verbs[verb].toRest && standing.believesOne;
  if (standing.conflict !== null && !isSafe) return because('id_conflict', standing.conflict);
  if (standing.discoveryOff) return because('discovery_off', 'discovery is switched off for the whole box');
  return null;
}

function whyNotReached(vehicle: Vehicle, standing: Standing, nowMs: number, because: Because): Refusal | null {
  if (standing.signing === 'keyless') {
    return because('signing_missing', 'its link demands signatures, and nobody has given it a key');
  }
  const silentMs = nowMs - vehicle.receivedMs;
  if (silentMs > SILENT_AFTER_MS || standing.policy === null) {
    return because('link_down', `nothing was received from it for ${Math.round(silentMs / 1000)} s`);
  }
  if (standing.policy.command === 'deny') {
    return deniedBy(standing.policy, because);
  }
  if (standing.signing === 'required' && !standing.signed) {
    return because('signing_missing', 'its link demands signatures, and it does not sign');
  }
  return standing.ignoresUs ? because('signing_missing', KEY_MISSING) : null;
}

function whyNotNow(verb: Verb, vehicle: Vehicle, nowMs: number, because: Because): Refusal | null {
  const { position } = vehicle;
  // Stopping and coming home need no fresh position of ours: the vehicle knows where it is.
  if (verbs[verb].class !== 'safer') {
    if (position === null) return because('telemetry_stale', 'it has not said where it is');
    const ageMs = nowMs - position.atMs;
    if (ageMs > FRESH_MS) {
      return because('telemetry_stale', `its position is ${(ageMs / 1000).toFixed(0)} s old`);
    }
    if (position.value.latDeg === null) return because('no_position', 'it has no position fix');
  }
  // A vehicle that is about to take off can be stopped.
  const isUp = vehicle.isFlying || (verb === 'hold' && isLeaving(vehicle, nowMs));
  if (verbs[verb].inAir && !isUp) return because('on_ground', 'it stands on the ground');
  return whyNotByVerb(verb, vehicle, because, nowMs);
}

/** True while a vehicle is about to take off. Heartbeats show arming, and the mode of the take-off, up to 1 s late. */
function isLeaving(vehicle: Vehicle, nowMs: number): boolean {
  return vehicle.armed || (vehicle.liftOrderedMs !== null && nowMs - vehicle.liftOrderedMs < LEAVES_WITHIN_MS);
}

function whyNotMine(verb: Verb, vehicle: Vehicle, standing: Standing, because: Because): Refusal | null {
  if (!isMovement(verb)) return null;
  const energy = vehicle.energyPct;
  if (!verbs[verb].toRest && energy !== null && energy.value <= standing.reservePct) {
    return because(
      'low_energy',
      `it has ${energy.value} % left, and ${standing.reservePct} % is kept for the way home`,
    );
  }
  const owner = ownerOf(vehicle, standing.otherStation);
  const { name } = vehicle.mode;
  if (owner === 'pilot') return because('authority_elsewhere', `its pilot flies it by hand (${name})`);
  if (vehicle.targets.isElsewhere) {
    return because('authority_elsewhere', `${SENT_ELSEWHERE}: hold it first, or bring it home`);
  }
  if (owner === 'other_gcs') {
    const who = `the ground station with the system id ${standing.otherStation}`;
    return because('authority_elsewhere', `it is flown in ${name}, not by us, and ${who} transmits`);
  }
  if (!vehicle.isTaken) return null;
  return because('authority_elsewhere', `${takenText(vehicle)}; hold it, or bring it home, to take it back`);
}

/** Present controller of a vehicle. On the ground it has none: the station that lifts it off controls it. */
export function ownerOf(vehicle: Vehicle, otherStation: number | null): 'us' | 'pilot' | 'other_gcs' | 'unknown' {
  if (!vehicle.isFlying || !vehicle.armed) return 'unknown';
  const { customMode, role } = vehicle.mode;
  if (vehicle.custody.own === customMode) return 'us';
  if (role === 'manual') return 'pilot';
  if (vehicle.targets.isElsewhere) return 'other_gcs';
  return otherStation !== null && (role === 'guided' || role === 'mission') ? 'other_gcs' : 'unknown';
}
