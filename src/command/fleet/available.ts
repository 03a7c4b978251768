import type { Refusal } from '../../model/fleet.ts';
import type { LinkPolicy } from '../../model/link.ts';
import { type Verb, verbs } from '../../model/verb.ts';
import { takenText } from './cause.ts';
import { MAV_STATE_CRITICAL } from './mav.ts';
import { isWayDown } from './modes.ts';
import type { LinkSigns } from './rim.ts';
import type { Vehicle } from './vehicle.ts';
import { inAir, isMovement } from './verbs.ts';

/** A heartbeat comes once a second; so many missed and the vehicle is not heard any more (MAVLink guide: four to five). */
export const HEARD_MS = 5_000;
/** Older telemetry is not flown by. */
export const FRESH_MS = 3_000;
/** Somebody else who flies it was heard no longer ago than this. */
export const OTHER_STATION_MS = 10_000;

/** What was told to take off longer ago is seen to be in the air, or stands. */
const LEAVES_WITHIN_MS = 20_000;

export const KEY_MISSING = 'it signs what it sends and ignores what is not signed; set its key on the link';

/** What decides beside the vehicle's own words. */
export type Standing = {
  /** As people know it. */
  name: string;
  adopted: boolean;
  /** Of the link that commands would take; null where it is heard on none. */
  policy: LinkPolicy['effective'] | null;
  /** Whether the switch of the box is what forbids. */
  discoveryOff: boolean;
  signing: LinkSigns;
  signed: boolean;
  /** It signs, and the link has no key: what is sent to it is ignored without an answer. */
  ignoresUs: boolean;
  featureOff: boolean;
  /** Why it cannot be told from another: no movement is sent to it meanwhile. */
  conflict: string | null;
  /** One address is believed to be the vehicle despite the conflict: `safer` verbs go there. */
  believesOne: boolean;
  /** Who else says to be it, and is not believed. */
  disbelieved: string | null;
  /** Another ground station was heard on the link. */
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
    whyNotHeard(vehicle, standing, nowMs, because) ??
    (verb === 'request_status' || verbs[verb].class === 'observation'
      ? null
      : (whyNotNow(verb, vehicle, nowMs, because) ?? whyNotMine(verb, vehicle, standing, because)))
  );
}

/** Why a vehicle that is flying for us is to be told nothing more, whatever it does; null where it may be. Not heard is not a reason here. */
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

type Because = (reason: Refusal['reason'], text: string) => Refusal;

function whyNotAtAll(verb: Verb, standing: Standing, because: Because): Refusal | null {
  if (standing.featureOff) return because('feature_off', 'commanding is switched off by the configuration');
  if (!standing.adopted) return because('not_adopted', 'nobody has adopted it: bind it to an asset first');
  // A forger must not take a hold or the way home from a person.
  const isSafe = verbs[verb].class === 'safer' && standing.believesOne;
  if (standing.conflict !== null && !isSafe) return because('id_conflict', standing.conflict);
  if (standing.discoveryOff) return because('discovery_off', 'discovery is switched off for the whole box');
  return null;
}

function whyNotHeard(vehicle: Vehicle, standing: Standing, nowMs: number, because: Because): Refusal | null {
  if (standing.signing === 'keyless') {
    return because('signing_missing', 'its link demands signatures, and nobody has given it a key');
  }
  const silentMs = nowMs - vehicle.heardMs;
  if (silentMs > HEARD_MS || standing.policy === null) {
    return because('link_down', `it has not been heard for ${Math.round(silentMs / 1000)} s`);
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
  // What is about to take off can be stopped.
  const isUp = vehicle.isFlying || (verb === 'hold' && isLeaving(vehicle, nowMs));
  if (inAir.has(verb) && !isUp) return because('on_ground', 'it stands on the ground');
  if (verb === 'hold') return whyNotHeld(vehicle, because);
  if (verb === 'set_speed') return whyNotPaced(vehicle, because);
  if (verb !== 'takeoff') return null;
  if (vehicle.isFlying) return because('airborne', 'it is in the air already');
  return whyNotArmable(vehicle, nowMs, because);
}

/** Its heartbeats say a second late that it is armed, or in the mode that it takes off in. */
function isLeaving(vehicle: Vehicle, nowMs: number): boolean {
  return vehicle.armed || (vehicle.toldUpMs !== null && nowMs - vehicle.toldUpMs < LEAVES_WITHIN_MS);
}

function whyNotArmable(vehicle: Vehicle, nowMs: number, because: Because): Refusal | null {
  if (vehicle.landed === null) return because('telemetry_stale', 'it has not said whether it stands on the ground');
  if (vehicle.heartbeat.value.systemStatus >= MAV_STATE_CRITICAL) {
    return because('not_armable', 'it says of itself that something is badly wrong');
  }
  if (vehicle.armRefusal)
    return because('not_armable', `its Remote ID does not let it arm: ${vehicle.armRefusal.value}`);
  if (vehicle.prearmOk?.value === false) {
    const said = vehicle.texts(nowMs).findLast(({ text }) => /arm/i.test(text));
    return because('not_armable', `its own checks before arming fail${said ? ` (“${said.text}”)` : ''}`);
  }
  if (vehicle.hasEkfPosition?.value === false) return because('not_armable', 'it does not trust its position yet');
  return null;
}

function whyNotMine(verb: Verb, vehicle: Vehicle, standing: Standing, because: Because): Refusal | null {
  if (!isMovement(verb)) return null;
  const energy = vehicle.energyPct;
  if (verb !== 'land' && energy !== null && energy.value <= standing.reservePct) {
    return because(
      'low_energy',
      `it has ${energy.value} % left, and ${standing.reservePct} % is kept for the way home`,
    );
  }
  const owner = ownerOf(vehicle, standing.otherStation);
  const { name } = vehicle.mode;
  if (owner === 'pilot') return because('authority_elsewhere', `its pilot flies it by hand (${name})`);
  if (vehicle.targets.isElsewhere) {
    return because('authority_elsewhere', `another station sent it elsewhere: hold it first, or bring it home`);
  }
  if (owner === 'other_gcs') {
    const who = `the ground station with the system id ${standing.otherStation}`;
    return because('authority_elsewhere', `it is flown in ${name}, not by us, and ${who} is heard`);
  }
  if (!isTaken(vehicle)) return null;
  return because('authority_elsewhere', `${takenText(vehicle)}; hold it, or bring it home, to take it back`);
}

/** Whether somebody else, or a failsafe, took a flying vehicle out of a mode of ours into the one that it is in. */
function isTaken({ custody, isFlying, heartbeat }: Vehicle): boolean {
  return isFlying && custody.taken?.mode === heartbeat.value.customMode;
}

/** Stopping replaces no way home, no landing, no failsafe and no pilot's mode, whoever ordered them. */
function whyNotHeld(vehicle: Vehicle, because: Because): Refusal | null {
  const shown = vehicle.mode;
  if (shown.role === 'manual' && vehicle.custody.own !== shown.customMode && vehicle.isFlying) {
    return because('authority_elsewhere', `its pilot flies it by hand (${shown.name})`);
  }
  if (isTaken(vehicle) && vehicle.custody.taken?.cause) return because('authority_elsewhere', takenText(vehicle));
  // An order of ours may not have shown yet.
  for (const mode of [shown, vehicle.modeLeft]) {
    if (!mode || !isWayDown(mode)) continue;
    if (isTaken(vehicle)) return because('authority_elsewhere', takenText(vehicle));
    return because('busy', `it is in ${mode.name}, which hold does not replace`);
  }
  return null;
}

/** ArduPilot takes a speed in the modes that fly to places, and fails at it in all others. */
function whyNotPaced(vehicle: Vehicle, because: Because): Refusal | null {
  if (vehicle.autopilot !== 'ardupilot') return null;
  const { role, name } = vehicle.modeLeft ?? vehicle.mode;
  const takes = role === 'guided' || role === 'mission' || (role === 'return' && vehicle.type !== 'fixed_wing');
  return takes ? null : because('busy', `it takes no speed in ${name}`);
}

/** Whose it is now. On the ground it is nobody's: whoever lifts it off has it. */
export function ownerOf(vehicle: Vehicle, otherStation: number | null): 'us' | 'pilot' | 'other_gcs' | 'unknown' {
  if (!vehicle.isFlying || !vehicle.armed) return 'unknown';
  const { customMode, role } = vehicle.mode;
  if (vehicle.custody.own === customMode) return 'us';
  if (role === 'manual') return 'pilot';
  if (vehicle.targets.isElsewhere) return 'other_gcs';
  return otherStation !== null && (role === 'guided' || role === 'mission') ? 'other_gcs' : 'unknown';
}
