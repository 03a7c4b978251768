import type { Camera } from '../edge/wire/mavlink/read_vehicle.ts';
import type { Refusal } from '../model/fleet.ts';
import { isOn, type Verb, verbNames, verbs } from '../model/verb.ts';
import { takenText } from './cause.ts';
import { isWayDown, type ModeRole } from './modes.ts';
import type { Vehicle } from './vehicle.ts';

/** Values of MAV_CMD. Never add a command that arms in flight, disarms, terminates, drops or releases. */
export const CMD = {
  navReturnToLaunch: 20,
  navLand: 21,
  navTakeoff: 22,
  doSetMode: 176,
  doChangeSpeed: 178,
  doReposition: 192,
  doSetRoiLocation: 195,
  doSetStandardMode: 262,
  componentArmDisarm: 400,
  setMessageInterval: 511,
  requestMessage: 512,
  setCameraMode: 530,
  setCameraZoom: 531,
  gimbalManagerConfigure: 1001,
  imageStartCapture: 2000,
  videoStartCapture: 2500,
  videoStopCapture: 2501,
} as const;

/** Creates a refusal from a reason and the sentence that follows the names of verb and vehicle. */
export type Because = (reason: Refusal['reason'], text: string) => Refusal;

/** Conditions under which a vehicle has a verb, and under which the verb is refused now. */
type Availability = {
  /**
   * Whether modes and equipment support the verb. A movement also needs an entry for flight stack and type in the table
   * of verbs.
   */
  can(vehicle: Vehicle): boolean;
  /** MAV_CMD that the verb needs. */
  command?: number;
  /** Whether a mode of the vehicle replaces the command. */
  servedByMode?(vehicle: Vehicle): boolean;
  /** Returns a refusal by conditions of this verb alone; null if none applies. */
  whyNot?(vehicle: Vehicle, because: Because, nowMs: number): Refusal | null;
};

const byPlace: Availability = { can: takesPlaces, command: CMD.doReposition };

const availability: Record<Verb, Availability> = {
  hold: { can: has('hold'), whyNot: whyNotHeld },
  return_home: { can: has('return'), command: CMD.navReturnToLaunch, servedByMode: has('return') },
  land: { can: lands, command: CMD.navLand, servedByMode: has('land') },
  takeoff: { can: lifts, command: CMD.navTakeoff, servedByMode: takesOffByMode, whyNot: whyNotLifted },
  goto: byPlace,
  orbit: byPlace,
  shadow: byPlace,
  escort: byPlace,
  search: byPlace,
  set_speed: { can: takesPlaces, command: CMD.doChangeSpeed, whyNot: whyNotPaced },
  look_at: { can: ({ gimbal }) => gimbal !== null, command: CMD.doSetRoiLocation },
  zoom: { can: hasCamera('zoom'), command: CMD.setCameraZoom },
  take_image: { can: hasCamera('image'), command: CMD.imageStartCapture },
  start_video: { can: hasCamera('video'), command: CMD.videoStartCapture },
  stop_video: { can: hasCamera('video'), command: CMD.videoStopCapture },
  set_mode: { can: hasCamera('modes'), command: CMD.setCameraMode },
  request_status: { can: () => true },
};

/**
 * Returns the verbs that a vehicle supports according to its messages: flight stack and type, listed modes, gimbal,
 * cameras, and commands answered with UNSUPPORTED. Capability bits are ignored, because ArduPlane sets bits for
 * functions that it lacks. `ofModel` are the verbs of the vehicle's catalog entry and payloads; null if they list none.
 */
export function advertisedVerbs(vehicle: Vehicle, ofModel: ReadonlySet<Verb> | null): readonly Verb[] {
  const isFlown = isAircraft(vehicle);
  // Verbs with a common entry are adjacent, so that the entry is evaluated once.
  let of: Availability | null = null;
  let isAble = false;
  return verbNames.filter((verb) => {
    const { class: kind, toRest } = verbs[verb];
    // Verbs that bring a vehicle to rest, and the request of its status, need no entry in its catalog model or
    // payloads.
    if (ofModel !== null && !ofModel.has(verb) && !toRest && verb !== 'request_status') return false;
    if (kind === 'movement' && !(isFlown && isOn(verb, vehicle.autopilot, vehicle.type))) return false;
    if (availability[verb] !== of) {
      of = availability[verb];
      isAble = of.can(vehicle) && !isDisproved(of, vehicle);
    }
    return isAble;
  });
}

/** Returns a refusal by the conditions of this verb alone; null if none applies. */
export function whyNotByVerb(verb: Verb, vehicle: Vehicle, because: Because, nowMs: number): Refusal | null {
  return availability[verb].whyNot?.(vehicle, because, nowMs) ?? null;
}

/** ArduPilot's planes refuse NAV_TAKEOFF, but have a mode for the take-off. */
export function takesOffByMode({ autopilot, type }: Vehicle): boolean {
  return autopilot === 'ardupilot' && type === 'fixed_wing';
}

/** Only aircraft are moved, although the catalog lists movements for rovers and boats. */
function isAircraft({ type }: Vehicle): boolean {
  return type !== 'rover' && type !== 'boat' && type !== 'submersible';
}

/** Whether the vehicle answered the command with UNSUPPORTED and has no mode that replaces the command. */
function isDisproved({ command, servedByMode }: Availability, vehicle: Vehicle): boolean {
  return command !== undefined && vehicle.unsupported.has(command) && !servedByMode?.(vehicle);
}

function has(role: ModeRole): (vehicle: Vehicle) => boolean {
  return (vehicle) => vehicle.modeFor(role) !== null;
}

function hasCamera(can: keyof Camera): (vehicle: Vehicle) => boolean {
  return ({ cameras }) => [...cameras.values()].some((camera) => camera[can]);
}

/** PX4's fixed-wing vehicles land where they are, which a remote person must not order. */
function lands(vehicle: Vehicle): boolean {
  return vehicle.type !== 'fixed_wing' && vehicle.modeFor('land') !== null;
}

/** PX4's fixed-wing vehicles are launched by hand, which a remote person must not order. */
function lifts(vehicle: Vehicle): boolean {
  if (takesOffByMode(vehicle)) return vehicle.modeFor('takeoff') !== null;
  return vehicle.type !== 'fixed_wing' && (vehicle.type !== 'vtol' || vehicle.autopilot === 'px4');
}

function takesPlaces(vehicle: Vehicle): boolean {
  return vehicle.autopilot === 'px4' || vehicle.modeFor('guided') !== null;
}

function whyNotLifted(vehicle: Vehicle, because: Because, nowMs: number): Refusal | null {
  if (vehicle.isFlying) return because('airborne', 'the vehicle is in the air already');
  if (vehicle.landed === null)
    return because('telemetry_stale', 'the vehicle has not reported whether it is on the ground');
  if (vehicle.isCritical) {
    return because('not_armable', 'the vehicle reports a critical fault');
  }
  if (vehicle.armRefusal)
    return because(
      'not_armable',
      `the Remote ID module of the vehicle does not allow it to arm: ${vehicle.armRefusal.value}`,
    );
  if (vehicle.prearmOk?.value === false) {
    const said = vehicle.texts(nowMs).findLast(({ text }) => /arm/i.test(text));
    return because('not_armable', `the pre-arm checks of the vehicle fail${said ? ` (“${said.text}”)` : ''}`);
  }
  if (vehicle.hasEkfPosition?.value === false)
    return because('not_armable', 'the vehicle does not trust its own position yet');
  return null;
}

/** `hold` does not replace a return home, a landing, a failsafe or a pilot's mode, whoever ordered them. */
function whyNotHeld(vehicle: Vehicle, because: Because): Refusal | null {
  const shown = vehicle.mode;
  if (shown.role === 'manual' && vehicle.custody.own !== shown.customMode && vehicle.isFlying) {
    return because('authority_elsewhere', `a pilot flies the vehicle by hand (mode ${shown.name})`);
  }
  if (vehicle.isTaken && vehicle.custody.taken?.cause) return because('authority_elsewhere', takenText(vehicle));
  // The mode of an order of ours may not show in heartbeats yet.
  for (const mode of [shown, vehicle.modeLeft]) {
    if (!mode || !isWayDown(mode)) continue;
    if (vehicle.isTaken) return because('authority_elsewhere', takenText(vehicle));
    return because('busy', `the vehicle flies in ${mode.name}, and the verb hold does not interrupt this mode`);
  }
  return null;
}

/** ArduPilot accepts a speed only in modes that fly to positions, and rejects it in all others. */
function whyNotPaced(vehicle: Vehicle, because: Because): Refusal | null {
  if (vehicle.autopilot !== 'ardupilot') return null;
  const { role, name } = vehicle.modeLeft ?? vehicle.mode;
  const takes = role === 'guided' || role === 'mission' || (role === 'return' && vehicle.type !== 'fixed_wing');
  return takes ? null : because('busy', `the vehicle accepts no speed in the mode ${name}`);
}
