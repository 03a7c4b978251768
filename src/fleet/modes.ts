import type { AvailableMode } from '../edge/wire/mavlink/read_vehicle.ts';
import type { Autopilot, VehicleType } from '../model/fleet.ts';

/**
 * Purpose of a mode, independent of its name in a flight stack. `guided` follows positions from a station; `manual` is
 * flown by a pilot.
 */
export type ModeRole = 'guided' | 'hold' | 'return' | 'land' | 'takeoff' | 'mission' | 'manual';

/** A flight mode with its number in the autopilot. */
export type FlightMode = { customMode: number; name: string; role: ModeRole | null };

/** Builds a list of modes from a table of role, name and number. `none` contains modes without a role. */
function modesBy(table: Partial<Record<ModeRole | 'none', Readonly<Record<string, number>>>>): readonly FlightMode[] {
  return Object.entries(table).flatMap(([role, modes]) =>
    Object.entries(modes).map(([name, customMode]) => ({
      customMode,
      name,
      role: role === 'none' ? null : (role as ModeRole),
    })),
  );
}

/**
 * ArduCopter's modes (mode.h). The role `hold` is BRAKE: LOITER also holds the position, but obeys the throttle stick.
 */
const copter = modesBy({
  manual: {
    STABILIZE: 0,
    ACRO: 1,
    ALT_HOLD: 2,
    LOITER: 5,
    CIRCLE: 7,
    DRIFT: 11,
    SPORT: 13,
    AUTOTUNE: 15,
    POSHOLD: 16,
    THROW: 18,
    FLOWHOLD: 22,
    ZIGZAG: 24,
  },
  mission: { AUTO: 3 },
  guided: { GUIDED: 4 },
  return: { RTL: 6 },
  land: { LAND: 9 },
  hold: { BRAKE: 17 },
  none: { GUIDED_NOGPS: 20, SMART_RTL: 21, AUTO_RTL: 27 },
});

/** ArduPlane's modes (mode.h). Names that begin with Q are for quadplanes. */
const plane = modesBy({
  manual: {
    MANUAL: 0,
    STABILIZE: 2,
    TRAINING: 3,
    ACRO: 4,
    FBWA: 5,
    FBWB: 6,
    CRUISE: 7,
    QSTABILIZE: 17,
    QHOVER: 18,
    QLOITER: 19,
  },
  none: { CIRCLE: 1, QRTL: 21 },
  mission: { AUTO: 10 },
  return: { RTL: 11 },
  hold: { LOITER: 12 },
  takeoff: { TAKEOFF: 13 },
  guided: { GUIDED: 15 },
  land: { QLAND: 20 },
});

/** PX4's modes: main mode in the third byte, sub mode in the fourth (px4_custom_mode.h). */
const px4Mode = (main: number, sub: number): number => (sub * 2 ** 24 + main * 2 ** 16) >>> 0;
const px4 = modesBy({
  manual: {
    MANUAL: px4Mode(1, 0),
    ALTCTL: px4Mode(2, 0),
    POSCTL: px4Mode(3, 0),
    ACRO: px4Mode(5, 0),
    STABILIZED: px4Mode(7, 0),
  },
  none: { AUTO_READY: px4Mode(4, 1), OFFBOARD: px4Mode(6, 0) },
  takeoff: { AUTO_TAKEOFF: px4Mode(4, 2) },
  hold: { AUTO_LOITER: px4Mode(4, 3) },
  mission: { AUTO_MISSION: px4Mode(4, 4) },
  return: { AUTO_RTL: px4Mode(4, 5) },
  land: { AUTO_LAND: px4Mode(4, 6) },
});

/** Returns the modes of a flight stack for a type of vehicle; empty if the stack is not known. */
export function modesOf(autopilot: Autopilot, type: VehicleType): readonly FlightMode[] {
  if (autopilot === 'px4') return px4;
  if (autopilot !== 'ardupilot') return [];
  if (type === 'multirotor' || type === 'helicopter') return copter;
  return type === 'fixed_wing' || type === 'vtol' ? plane : [];
}

/** Whether a mode brings a vehicle home or down, including modes without a role such as SMART_RTL and QRTL. */
export function isWayDown({ role, name }: FlightMode): boolean {
  return role === 'return' || role === 'land' || /RTL|LAND|RETURN/i.test(name);
}

/** Roles by MAV_STANDARD_MODE, the only statement about a mode's purpose in an unknown flight stack. */
const standardRoles: Partial<Record<number, ModeRole>> = {
  1: 'hold',
  5: 'return',
  6: 'mission',
  7: 'land',
  8: 'takeoff',
};

/** Flag MAV_MODE_PROPERTY_NOT_USER_SELECTABLE. */
const NOT_FOR_USERS = 2;
/**
 * Roles whose modes are entered by a command of their own (land, take-off). PX4 marks these modes as not
 * user-selectable, but obeys the command.
 */
const byCommand: ReadonlySet<ModeRole> = new Set(['land', 'takeoff']);

/**
 * Returns the vehicle's mode for a role; null if it has none. If the vehicle has reported its modes, only those count.
 */
export function modeFor(
  role: ModeRole,
  known: readonly FlightMode[],
  reported: ReadonlyMap<number, AvailableMode>,
): FlightMode | null {
  const has = (customMode: number): boolean => {
    const mode = reported.get(customMode);
    if (mode === undefined) return reported.size === 0;
    return byCommand.has(role) || (mode.properties & NOT_FOR_USERS) === 0;
  };
  const mode = known.find((candidate) => candidate.role === role && has(candidate.customMode));
  if (mode || known.length > 0) return mode ?? null;
  for (const { customMode, standardMode, name, properties } of reported.values()) {
    if (standardRoles[standardMode] === role && (properties & NOT_FOR_USERS) === 0) return { customMode, name, role };
  }
  return null;
}
