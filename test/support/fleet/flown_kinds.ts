import type { Test } from 'tap';
import type { PlatformPerformance } from '../../../src/model/performance.ts';
import { ArduCopter, COPTER_MODE } from '../vehicles/arducopter.ts';
import { ArduPlane, PLANE_MODE } from '../vehicles/arduplane.ts';
import { CMD } from '../vehicles/command.ts';
import { OtherStation } from '../vehicles/other_station.ts';
import { PX4_MODE, Px4 } from '../vehicles/px4.ts';
import type { Vehicle } from '../vehicles/vehicle.ts';
import { Air } from './air.ts';

/** A vehicle of ours in the air, whatever flies it. */
export type Flying<V extends Vehicle = Vehicle> = { air: Air; vehicle: V; id: string };

/** Custom modes that another station or a failsafe chooses, by the words of a test. */
export type OtherMode = 'rtl' | 'land' | 'pilot';
export type Failsafe = { text: string; mode: number };

/** A kind of vehicle as seen from outside: which modes it has for what, and which order leads into which. */
export type FlownKind = {
  name: string;
  heightM: number;
  radiusM: number;
  up(t: Test, performance?: PlatformPerformance): Promise<Flying>;
  modeOf(vehicle: Vehicle): number;
  /** Another station chooses a mode. */
  choose(vehicle: Vehicle, mode: number): void;
  failsafe(vehicle: Vehicle, failsafe: Failsafe): void;
  modes: Partial<Record<OtherMode, number>>;
  failsafes: readonly Failsafe[];
  /** Modes that no hold replaces. */
  notHeld: ReadonlySet<number>;
  /** The mode in which it takes places. */
  placeMode: number;
  /** It reports its target, so that another's place in the same mode can be told apart. */
  reportsTargets: boolean;
  /** The mode that an order leads into; null where it changes none. */
  entersBy(order: { command: number; param2: number; param3: number }): number | null;
};

async function upOf<V extends Vehicle>(
  t: Test,
  make: (groundStation: { host: string; port: number }) => V,
  heightM: number,
  performance: PlatformPerformance,
): Promise<Flying<V>> {
  const air = new Air(t);
  const { address } = await air.link();
  const vehicle = make(address);
  const id = await air.adopt(vehicle, 'Heron', performance);
  await air.takeoff(id, heightM);
  return { air, vehicle, id };
}

const common = (groundStation: { host: string; port: number }) => ({ groundStation, manual: true, ready: true });

/** The custom mode of a PX4 as DO_SET_MODE carries it. */
const px4Params = (mode: number) => ({ param2: (mode >>> 16) & 0xff, param3: (mode >>> 24) & 0xff });

const ardupilot = {
  reportsTargets: true,
  choose: (vehicle: Vehicle, mode: number) => new OtherStation(vehicle).mode(mode),
  modeOf: (vehicle: Vehicle) => (vehicle as ArduCopter | ArduPlane).mode,
  failsafe: (vehicle: Vehicle, { text, mode }: Failsafe) => (vehicle as ArduCopter | ArduPlane).failsafe(text, mode),
};

export const copterKind: FlownKind = {
  ...ardupilot,
  ...{ name: 'a copter', heightM: 60, radiusM: 50 },
  up: async (t, performance = {}) => {
    const up = await upOf(t, (at) => new ArduCopter(common(at)), 60, performance);
    // It does not arm with the stick there.
    up.vehicle.throttleStick = 'mid';
    return up;
  },
  failsafe: (vehicle, { text, mode }) => {
    const copter = vehicle as ArduCopter;
    if (mode === COPTER_MODE.land) copter.ekfFailsafe();
    else copter.failsafe(text, mode);
  },
  modes: { rtl: COPTER_MODE.rtl, land: COPTER_MODE.land, pilot: COPTER_MODE.loiter },
  failsafes: [
    { text: 'EKF Failsafe: changed to Land Mode', mode: COPTER_MODE.land },
    { text: 'Radio Failsafe - SmartRTL', mode: COPTER_MODE.smartRtl },
    { text: 'Battery Failsafe - SmartRTL', mode: COPTER_MODE.smartRtl },
  ],
  notHeld: new Set([COPTER_MODE.rtl, COPTER_MODE.land, COPTER_MODE.loiter, COPTER_MODE.smartRtl]),
  placeMode: COPTER_MODE.guided,
  entersBy: ({ command, param2 }) => {
    const modes: Record<number, number> = { [CMD.setMode]: param2 };
    return modes[command] ?? { [CMD.returnToLaunch]: COPTER_MODE.rtl, [CMD.land]: COPTER_MODE.land }[command] ?? null;
  },
};

export const planeKind: FlownKind = {
  ...ardupilot,
  ...{ name: 'a plane', heightM: 80, radiusM: 150 },
  up: (t, performance = { cruise_speed_mps: 22 }) => upOf(t, (at) => new ArduPlane(common(at)), 80, performance),
  modes: { rtl: PLANE_MODE.rtl, pilot: PLANE_MODE.fbwa },
  failsafes: [
    { text: 'Failsafe. Short event on: type=1/reason=3', mode: PLANE_MODE.circle },
    { text: 'Failsafe. Long event on: type=2/reason=3', mode: PLANE_MODE.rtl },
    { text: 'Battery 1 is low 10.60V used 181 mAh', mode: PLANE_MODE.rtl },
  ],
  notHeld: new Set([PLANE_MODE.rtl, PLANE_MODE.fbwa]),
  placeMode: PLANE_MODE.guided,
  entersBy: ({ command, param2 }) =>
    command === CMD.setMode ? param2 : command === CMD.returnToLaunch ? PLANE_MODE.rtl : null,
};

export const px4Kind: FlownKind = {
  ...{ name: 'a PX4', heightM: 40, radiusM: 50 },
  up: (t, performance = { cruise_speed_mps: 8, max_speed_mps: 15 }) =>
    upOf(t, (at) => new Px4(common(at)), 40, performance),
  modeOf: (vehicle) => (vehicle as Px4).customMode,
  choose: (vehicle, mode) => new OtherStation(vehicle).command(CMD.setMode, { param1: 1, ...px4Params(mode) }),
  failsafe: (vehicle, { text, mode }) => {
    vehicle.say(text, 2);
    px4Kind.choose(vehicle, mode);
  },
  modes: { rtl: PX4_MODE.rtl, land: PX4_MODE.land, pilot: PX4_MODE.position },
  failsafes: [
    { text: 'Failsafe activated: Autopilot disengaged, switching to Return', mode: PX4_MODE.rtl },
    { text: 'Failsafe activated: position estimate lost, switching to Land', mode: PX4_MODE.land },
  ],
  notHeld: new Set([PX4_MODE.rtl, PX4_MODE.land, PX4_MODE.position]),
  placeMode: PX4_MODE.hold,
  // What it reports of its setpoint is no word of who ordered it: its modes decide.
  reportsTargets: false,
  entersBy: ({ command, param2, param3 }) => {
    if (command === CMD.setMode) return ((param2 << 16) | (param3 << 24)) >>> 0;
    if (command === CMD.reposition) return param2 % 2 === 1 ? PX4_MODE.hold : null;
    const modes: Record<number, number> = {
      [CMD.returnToLaunch]: PX4_MODE.rtl,
      [CMD.land]: PX4_MODE.land,
      [CMD.orbit]: PX4_MODE.orbit,
      [CMD.pauseContinue]: PX4_MODE.hold,
    };
    return modes[command] ?? null;
  },
};
