/**
 * Manoeuvre of the aircraft in a mode. `stick` stands for modes flown by hand, in which a simulated vehicle stays where
 * it is.
 */
export type Purpose = 'stick' | 'guided' | 'hold' | 'mission' | 'return' | 'land' | 'takeoff';

export type Mode = {
  customMode: number;
  name: string;
  purpose: Purpose;
  /** MAV_STANDARD_MODE; 0 for a mode that is not standard, as all modes of ArduPilot. */
  standard: number;
  /** MAV_MODE_PROPERTY; 2 means that users cannot choose the mode. */
  properties: number;
};

const mode = (customMode: number, name: string, purpose: Purpose, standard = 0, properties = 0): Mode => {
  return { customMode, name, purpose, standard, properties };
};

/** Modes from ArduCopter's mode.h that a simulated vehicle needs. */
export const copterModes: readonly Mode[] = [
  mode(0, 'STABILIZE', 'stick'),
  mode(3, 'AUTO', 'mission'),
  mode(4, 'GUIDED', 'guided'),
  mode(5, 'LOITER', 'stick'),
  mode(6, 'RTL', 'return'),
  mode(9, 'LAND', 'land'),
  mode(17, 'BRAKE', 'hold'),
];

/** Modes from ArduPlane's mode.h that a simulated vehicle needs. */
export const planeModes: readonly Mode[] = [
  mode(0, 'MANUAL', 'stick'),
  mode(10, 'AUTO', 'mission'),
  mode(11, 'RTL', 'return'),
  mode(12, 'LOITER', 'hold'),
  mode(13, 'TAKEOFF', 'takeoff'),
  mode(15, 'GUIDED', 'guided'),
];

/** Returns a custom mode of PX4: the main mode in the third byte, the sub mode in the fourth (px4_custom_mode.h). */
export const px4Mode = (main: number, sub: number): number => (sub * 2 ** 24 + main * 2 ** 16) >>> 0;
const NOT_FOR_USERS = 2;

export const px4Modes: readonly Mode[] = [
  mode(px4Mode(3, 0), 'Position', 'stick', 1),
  mode(px4Mode(4, 3), 'Hold', 'hold', 0),
  mode(px4Mode(4, 4), 'Mission', 'mission', 6),
  mode(px4Mode(4, 5), 'Return', 'return', 5),
  mode(px4Mode(4, 2), 'Takeoff', 'takeoff', 8, NOT_FOR_USERS),
  mode(px4Mode(4, 6), 'Land', 'land', 7, NOT_FOR_USERS),
];
