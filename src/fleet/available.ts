import type { Refusal } from '../model/fleet.ts';
import type { LinkPolicy } from '../model/link.ts';
import { isMovement, type Verb, verbs } from '../model/verb.ts';
import { takenText } from './cause.ts';
import type { LinkSigns } from './deps.ts';
import type { Vehicle } from './vehicle.ts';
import { type Because, whyNotByVerb } from './verbs.ts';

/** Silence after which a vehicle counts as silent, ms: five missed heartbeats at 1 Hz (MAVLink guide: four to five). */
export const SILENT_AFTER_MS = 5_000;
/** Greatest age of telemetry that guidance uses, ms. */
export const FRESH_MS = 3_000;
/** Time for which another ground station counts as active after its last heartbeat, ms. */
export const OTHER_STATION_MS = 10_000;

/** Time within which telemetry shows that a vehicle follows an ordered take-off, ms. */
const LEAVES_WITHIN_MS = 20_000;

export const SENT_ELSEWHERE = 'another station sent the vehicle elsewhere';
export const KEY_MISSING = 'the vehicle signs its messages and ignores unsigned ones: set its signing key on the link';

/** Facts that decide which verbs a vehicle can carry out now, besides the vehicle's own reports. */
export type Standing = {
  /** Name of the vehicle for people. */
  name: string;
  adopted: boolean;
  /** Policy of the link that commands would use; null if the vehicle has no address on a known link. */
  policy: LinkPolicy['effective'] | null;
  /** Whether discovery is switched off for the whole box. */
  discoveryOff: boolean;
  signing: LinkSigns;
  signed: boolean;
  /**
   * True if the vehicle signs its messages, the link has no key, and the vehicle has acknowledged none of our messages.
   * Such a vehicle ignores our messages without an answer.
   */
  ignoresUs: boolean;
  featureOff: boolean;
  /**
   * Reason why the vehicle cannot be told apart from another one; null if it can. During a conflict every verb is
   * refused, except as in `believesOne`.
   */
  conflict: string | null;
  /**
   * Whether one address is accepted as the vehicle despite the conflict. Verbs that bring the vehicle to rest (hold,
   * return home, land) are still sent to this address.
   */
  believesOne: boolean;
  /** Sentence about an address that falsely claims to be this vehicle; null if there is none. */
  disbelieved: string | null;
  /** System id of another ground station on the link; null if there is none. */
  otherStation: number | null;
  reservePct: number;
};

/** Returns why an advertised verb cannot be used now; null if it can. The sentence names the verb and the vehicle. */
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
 * Returns why no further order may be sent to a vehicle that executes a command of ours; null if one may. Ignores the
 * vehicle's silence.
 */
export function whyNotLed(verb: Verb, standing: Standing): Refusal | null {
  const because = (reason: Refusal['reason'], text: string): Refusal => ({ reason, text });
  const refusal = whyNotAtAll(verb, standing, because);
  if (refusal || standing.policy === null) return refusal;
  if (standing.signing === 'keyless')
    return because('signing_missing', 'the link requires signatures but has no signing key: set a key on the link');
  return standing.policy.command === 'deny' ? deniedBy(standing.policy, because) : null;
}

function deniedBy({ reason }: LinkPolicy['effective'], because: Because): Refusal {
  return because('policy_denied', reason ?? "the link's own policy lets no command out");
}

function whyNotAtAll(verb: Verb, standing: Standing, because: Because): Refusal | null {
  if (standing.featureOff)
    return because('feature_off', 'this box does not command vehicles: the setting control.enabled is false');
  if (!standing.adopted) return because('not_adopted', 'the vehicle is not adopted: bind it to an asset first');
  // A forged sender must not be able to block a person's hold, return home, or landing.
  const isSafe = verbs[verb].toRest && standing.believesOne;
  if (standing.conflict !== null && !isSafe) return because('id_conflict', standing.conflict);
  if (standing.discoveryOff)
    return because(
      'discovery_off',
      'discovery is switched off for the whole box: switch it on with PUT /api/discovery',
    );
  return null;
}

function whyNotReached(vehicle: Vehicle, standing: Standing, nowMs: number, because: Because): Refusal | null {
  if (standing.signing === 'keyless') {
    return because('signing_missing', 'the link requires signatures but has no signing key: set a key on the link');
  }
  if (standing.policy === null) {
    return because('link_down', 'the link of the vehicle was removed or is switched off');
  }
  const silentMs = nowMs - vehicle.receivedMs;
  if (silentMs > SILENT_AFTER_MS) {
    return because('link_down', `nothing was received from the vehicle for ${Math.round(silentMs / 1000)} s`);
  }
  if (standing.policy.command === 'deny') {
    return deniedBy(standing.policy, because);
  }
  if (standing.signing === 'required' && !standing.signed) {
    return because('signing_missing', 'the link requires signatures, but the vehicle does not sign its messages');
  }
  return standing.ignoresUs ? because('signing_missing', KEY_MISSING) : null;
}

function whyNotNow(verb: Verb, vehicle: Vehicle, nowMs: number, because: Because): Refusal | null {
  const { position } = vehicle;
  // Verbs of class `safer` need no fresh position at this station, because the vehicle knows its own position.
  if (verbs[verb].class !== 'safer') {
    if (position === null) return because('telemetry_stale', 'the vehicle has reported no position');
    const ageMs = nowMs - position.atMs;
    if (ageMs > FRESH_MS) {
      return because(
        'telemetry_stale',
        `the last position of the vehicle is ${(ageMs / 1000).toFixed(1)} s old, which is more than ${FRESH_MS / 1000} s`,
      );
    }
    if (position.value.latDeg === null) return because('no_position', 'the vehicle has no position fix');
  }
  // A vehicle that is about to take off can be ordered to hold.
  const isUp = vehicle.isFlying || (verb === 'hold' && isLeaving(vehicle, nowMs));
  if (verbs[verb].inAir && !isUp) return because('on_ground', 'the vehicle is on the ground');
  return whyNotByVerb(verb, vehicle, because, nowMs);
}

/**
 * Whether a vehicle is about to take off. Heartbeats show arming and the take-off mode up to 1 s late, so the order
 * counts too.
 */
function isLeaving(vehicle: Vehicle, nowMs: number): boolean {
  return vehicle.armed || (vehicle.liftOrderedMs !== null && nowMs - vehicle.liftOrderedMs < LEAVES_WITHIN_MS);
}

function whyNotMine(verb: Verb, vehicle: Vehicle, standing: Standing, because: Because): Refusal | null {
  if (!isMovement(verb)) return null;
  const energy = vehicle.energyPct;
  if (!verbs[verb].toRest && energy !== null && energy.value <= standing.reservePct) {
    return because(
      'low_energy',
      `the vehicle has ${energy.value} % of its energy left, and ${standing.reservePct} % is kept for the return home`,
    );
  }
  const owner = ownerOf(vehicle, standing.otherStation);
  const { name } = vehicle.mode;
  if (owner === 'pilot') return because('authority_elsewhere', `a pilot flies the vehicle by hand (mode ${name})`);
  if (vehicle.targets.isElsewhere) {
    return because('authority_elsewhere', `${SENT_ELSEWHERE}: hold the vehicle first, or bring it home`);
  }
  if (owner === 'other_gcs') {
    const who = `the ground station with the system id ${standing.otherStation}`;
    return because(
      'authority_elsewhere',
      `the vehicle flies in ${name}, a mode that this service did not order, and ${who} transmits`,
    );
  }
  if (!vehicle.isTaken) return null;
  return because('authority_elsewhere', `${takenText(vehicle)}; to regain control, hold the vehicle or bring it home`);
}

/**
 * Returns who controls a vehicle now. `unknown` on the ground or disarmed, because control begins with the station that
 * orders the take-off. In flight `unknown` if the mode is neither ours nor manual, and no other station is known to
 * control the vehicle.
 */
export function ownerOf(vehicle: Vehicle, otherStation: number | null): 'us' | 'pilot' | 'other_gcs' | 'unknown' {
  if (!vehicle.isFlying || !vehicle.armed) return 'unknown';
  const { customMode, role } = vehicle.mode;
  if (vehicle.custody.own === customMode) return 'us';
  if (role === 'manual') return 'pilot';
  if (vehicle.targets.isElsewhere) return 'other_gcs';
  return otherStation !== null && (role === 'guided' || role === 'mission') ? 'other_gcs' : 'unknown';
}
