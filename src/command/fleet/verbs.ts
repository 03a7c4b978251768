import { type Verb, verbNames, verbs } from '../../model/verb.ts';
import { CMD } from './mav.ts';
import type { Vehicle } from './vehicle.ts';

/** Verbs that are flown by giving one position after the other. */
const byPosition: readonly Verb[] = ['goto', 'orbit', 'shadow', 'escort', 'search'];

/** The command without which a verb is nothing. */
const commandOf: Partial<Record<Verb, number>> = {
  return_home: CMD.navReturnToLaunch,
  land: CMD.navLand,
  takeoff: CMD.navTakeoff,
  goto: CMD.doReposition,
  orbit: CMD.doReposition,
  shadow: CMD.doReposition,
  escort: CMD.doReposition,
  search: CMD.doReposition,
  set_speed: CMD.doChangeSpeed,
  look_at: CMD.doSetRoiLocation,
  zoom: CMD.setCameraZoom,
  take_image: CMD.imageStartCapture,
  start_video: CMD.videoStartCapture,
  stop_video: CMD.videoStopCapture,
  set_mode: CMD.setCameraMode,
};

/** Safer verbs that a catalog entry or a fit does not take away: whoever flies can stop and come home. */
const kept: ReadonlySet<Verb> = new Set(['hold', 'return_home', 'land', 'request_status']);

/**
 * What a vehicle may honestly be said to do, by its own messages: its stack and type, the modes that it listed, its gimbal
 * and cameras, and what it has answered with UNSUPPORTED. A capability bit adds nothing: ArduPlane sets bits for what it
 * does not do. `ofModel` are the verbs that its catalog entry and its payloads give it; null says nothing.
 */
export function advertisedVerbs(vehicle: Vehicle, ofModel: ReadonlySet<Verb> | null): readonly Verb[] {
  const able = new Set<Verb>([...flying(vehicle), ...observing(vehicle), 'request_status']);
  return verbNames.filter((verb) => {
    if (!able.has(verb)) return false;
    if (ofModel !== null && !kept.has(verb) && !ofModel.has(verb)) return false;
    return !isDisproved(vehicle, verb);
  });
}

/** A mode that the vehicle has serves without the command. */
function isDisproved(vehicle: Vehicle, verb: Verb): boolean {
  const command = commandOf[verb];
  if (command === undefined || !vehicle.unsupported.has(command)) return false;
  if (verb === 'return_home') return vehicle.modeFor('return') === null;
  if (verb === 'land') return vehicle.modeFor('land') === null;
  return !(verb === 'takeoff' && takesOffByMode(vehicle));
}

/** Planes of ArduPilot refuse NAV_TAKEOFF and have a mode for it. */
export function takesOffByMode({ autopilot, type }: Vehicle): boolean {
  return autopilot === 'ardupilot' && type === 'fixed_wing';
}

function flying(vehicle: Vehicle): readonly Verb[] {
  const { autopilot, type } = vehicle;
  const able: Verb[] = [];
  if (vehicle.modeFor('hold')) able.push('hold');
  if (vehicle.modeFor('return')) able.push('return_home');
  if (autopilot === 'other') return able;
  const rotors = type === 'multirotor' || type === 'helicopter';
  if (!rotors && type !== 'fixed_wing' && type !== 'vtol') return able;
  // Fixed wings of PX4 land where they are and are thrown into the air: neither is for a person far away.
  if (type !== 'fixed_wing' && vehicle.modeFor('land')) able.push('land');
  const lifts = rotors || takesOffByMode(vehicle) || (type === 'vtol' && autopilot === 'px4');
  if (lifts && (!takesOffByMode(vehicle) || vehicle.modeFor('takeoff'))) able.push('takeoff');
  if (autopilot === 'px4' || vehicle.modeFor('guided')) able.push(...byPosition, 'set_speed');
  return able;
}

function observing(vehicle: Vehicle): readonly Verb[] {
  const able: Verb[] = [];
  if (vehicle.gimbal) able.push('look_at');
  for (const { zoom, image, video, modes } of vehicle.cameras.values()) {
    if (zoom) able.push('zoom');
    if (image) able.push('take_image');
    if (video) able.push('start_video', 'stop_video');
    if (modes) able.push('set_mode');
  }
  return able;
}

export function isMovement(verb: Verb): boolean {
  return verbs[verb].class === 'movement';
}

/** Verbs that only make sense in the air. */
export const inAir: ReadonlySet<Verb> = new Set(['hold', 'return_home', 'land', 'set_speed', ...byPosition]);
