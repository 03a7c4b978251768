/** What a mode has its aircraft do; `stick` are those that a pilot flies by hand, in which a twin stays where it is. */
export type Purpose = 'stick' | 'guided' | 'hold' | 'mission' | 'return' | 'land' | 'takeoff';

export type Mode = {
  customMode: number;
  name: string;
  purpose: Purpose;
  /** MAV_STANDARD_MODE, of which ArduPilot tells none. */
  standard: number;
  /** MAV_MODE_PROPERTY: 2 are not for users to choose. */
  properties: number;
};

const plain = (customMode: number, name: string, purpose: Purpose): Mode => ({
  ...{ customMode, name, purpose },
  ...{ standard: 0, properties: 0 },
});

/** ArduCopter's mode.h; those that a twin needs. */
export const copterModes: readonly Mode[] = [
  plain(0, 'STABILIZE', 'stick'),
  plain(3, 'AUTO', 'mission'),
  plain(4, 'GUIDED', 'guided'),
  plain(5, 'LOITER', 'stick'),
  plain(6, 'RTL', 'return'),
  plain(9, 'LAND', 'land'),
  plain(17, 'BRAKE', 'hold'),
];

/** ArduPlane's. */
export const planeModes: readonly Mode[] = [
  plain(0, 'MANUAL', 'stick'),
  plain(10, 'AUTO', 'mission'),
  plain(11, 'RTL', 'return'),
  plain(12, 'LOITER', 'hold'),
  plain(13, 'TAKEOFF', 'takeoff'),
  plain(15, 'GUIDED', 'guided'),
];

/** PX4: main mode in the third byte, sub mode in the fourth (px4_custom_mode.h). */
export const px4Mode = (main: number, sub: number): number => (sub * 2 ** 24 + main * 2 ** 16) >>> 0;
const NOT_FOR_USERS = 2;
const px4 = (main: number, sub: number, name: string, purpose: Purpose, standard: number, properties = 0): Mode => ({
  ...{ customMode: px4Mode(main, sub), name, purpose },
  ...{ standard, properties },
});

export const px4Modes: readonly Mode[] = [
  px4(3, 0, 'Position', 'stick', 1),
  px4(4, 3, 'Hold', 'hold', 0),
  px4(4, 4, 'Mission', 'mission', 6),
  px4(4, 5, 'Return', 'return', 5),
  px4(4, 2, 'Takeoff', 'takeoff', 8, NOT_FOR_USERS),
  px4(4, 6, 'Land', 'land', 7, NOT_FOR_USERS),
];
