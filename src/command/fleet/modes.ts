import type { AvailableMode } from '../../edge/wire/mavlink/read_vehicle.ts';
import type { Autopilot, VehicleType } from '../../model/fleet.ts';

/** What a mode is for, whatever a stack calls it. `guided` takes positions from us; `manual` is a pilot's. */
export type ModeRole = 'guided' | 'hold' | 'return' | 'land' | 'takeoff' | 'mission' | 'manual';

/** A mode as an autopilot numbers it. */
export type FlightMode = { customMode: number; name: string; role: ModeRole | null };

/** ArduCopter's modes (mode.h). Of those that hold, BRAKE comes first: LOITER obeys the throttle stick. */
const copter: readonly FlightMode[] = [
  { customMode: 0, name: 'STABILIZE', role: 'manual' },
  { customMode: 1, name: 'ACRO', role: 'manual' },
  { customMode: 2, name: 'ALT_HOLD', role: 'manual' },
  { customMode: 3, name: 'AUTO', role: 'mission' },
  { customMode: 4, name: 'GUIDED', role: 'guided' },
  { customMode: 5, name: 'LOITER', role: 'manual' },
  { customMode: 6, name: 'RTL', role: 'return' },
  { customMode: 7, name: 'CIRCLE', role: 'manual' },
  { customMode: 9, name: 'LAND', role: 'land' },
  { customMode: 11, name: 'DRIFT', role: 'manual' },
  { customMode: 13, name: 'SPORT', role: 'manual' },
  { customMode: 15, name: 'AUTOTUNE', role: 'manual' },
  { customMode: 16, name: 'POSHOLD', role: 'manual' },
  { customMode: 17, name: 'BRAKE', role: 'hold' },
  { customMode: 18, name: 'THROW', role: 'manual' },
  { customMode: 20, name: 'GUIDED_NOGPS', role: null },
  { customMode: 21, name: 'SMART_RTL', role: null },
  { customMode: 22, name: 'FLOWHOLD', role: 'manual' },
  { customMode: 24, name: 'ZIGZAG', role: 'manual' },
  { customMode: 27, name: 'AUTO_RTL', role: null },
];

/** ArduPlane's modes (mode.h); those with Q are of quadplanes. */
const plane: readonly FlightMode[] = [
  { customMode: 0, name: 'MANUAL', role: 'manual' },
  { customMode: 1, name: 'CIRCLE', role: null },
  { customMode: 2, name: 'STABILIZE', role: 'manual' },
  { customMode: 3, name: 'TRAINING', role: 'manual' },
  { customMode: 4, name: 'ACRO', role: 'manual' },
  { customMode: 5, name: 'FBWA', role: 'manual' },
  { customMode: 6, name: 'FBWB', role: 'manual' },
  { customMode: 7, name: 'CRUISE', role: 'manual' },
  { customMode: 10, name: 'AUTO', role: 'mission' },
  { customMode: 11, name: 'RTL', role: 'return' },
  { customMode: 12, name: 'LOITER', role: 'hold' },
  { customMode: 13, name: 'TAKEOFF', role: 'takeoff' },
  { customMode: 15, name: 'GUIDED', role: 'guided' },
  { customMode: 17, name: 'QSTABILIZE', role: 'manual' },
  { customMode: 18, name: 'QHOVER', role: 'manual' },
  { customMode: 19, name: 'QLOITER', role: 'manual' },
  { customMode: 20, name: 'QLAND', role: 'land' },
  { customMode: 21, name: 'QRTL', role: null },
];

/** PX4: main mode in the third byte, sub mode in the fourth (px4_custom_mode.h). */
const px4Mode = (main: number, sub: number): number => (sub * 2 ** 24 + main * 2 ** 16) >>> 0;
const px4: readonly FlightMode[] = [
  { customMode: px4Mode(1, 0), name: 'MANUAL', role: 'manual' },
  { customMode: px4Mode(2, 0), name: 'ALTCTL', role: 'manual' },
  { customMode: px4Mode(3, 0), name: 'POSCTL', role: 'manual' },
  { customMode: px4Mode(4, 1), name: 'AUTO_READY', role: null },
  { customMode: px4Mode(4, 2), name: 'AUTO_TAKEOFF', role: 'takeoff' },
  { customMode: px4Mode(4, 3), name: 'AUTO_LOITER', role: 'hold' },
  { customMode: px4Mode(4, 4), name: 'AUTO_MISSION', role: 'mission' },
  { customMode: px4Mode(4, 5), name: 'AUTO_RTL', role: 'return' },
  { customMode: px4Mode(4, 6), name: 'AUTO_LAND', role: 'land' },
  { customMode: px4Mode(5, 0), name: 'ACRO', role: 'manual' },
  { customMode: px4Mode(6, 0), name: 'OFFBOARD', role: null },
  { customMode: px4Mode(7, 0), name: 'STABILIZED', role: 'manual' },
];

/** The modes of a stack for a kind of vehicle; none where the stack is not known. */
export function modesOf(autopilot: Autopilot, type: VehicleType): readonly FlightMode[] {
  if (autopilot === 'px4') return px4;
  if (autopilot !== 'ardupilot') return [];
  if (type === 'multirotor' || type === 'helicopter') return copter;
  return type === 'fixed_wing' || type === 'vtol' ? plane : [];
}

/** Whether a mode brings a vehicle home or down, those without a role too (SMART_RTL, QRTL, a precision landing). */
export function isWayDown({ role, name }: FlightMode): boolean {
  return role === 'return' || role === 'land' || /RTL|LAND|RETURN/i.test(name);
}

/** MAV_STANDARD_MODE, the one thing that tells what a mode of an unknown stack is for. */
const standardRoles: Partial<Record<number, ModeRole>> = {
  1: 'hold',
  5: 'return',
  6: 'mission',
  7: 'land',
  8: 'takeoff',
};

/** MAV_MODE_PROPERTY_NOT_USER_SELECTABLE. */
const NOT_FOR_USERS = 2;
/** Modes that a command of their own leads into: PX4 lists them as not for users, and lands all the same. */
const byCommand: ReadonlySet<ModeRole> = new Set(['land', 'takeoff']);

/** The mode of a vehicle that serves a purpose, of those that it says it has where it said so. */
export function modeFor(
  role: ModeRole,
  known: readonly FlightMode[],
  told: ReadonlyMap<number, AvailableMode>,
): FlightMode | null {
  const has = (customMode: number): boolean => {
    const mode = told.get(customMode);
    if (mode === undefined) return told.size === 0;
    return byCommand.has(role) || (mode.properties & NOT_FOR_USERS) === 0;
  };
  const mode = known.find((candidate) => candidate.role === role && has(candidate.customMode));
  if (mode || known.length > 0) return mode ?? null;
  for (const { customMode, standardMode, name, properties } of told.values()) {
    if (standardRoles[standardMode] === role && (properties & NOT_FOR_USERS) === 0) return { customMode, name, role };
  }
  return null;
}
