import type { CatalogModel, CatalogSpec } from '../../../model/catalog.ts';
import type { VehicleType } from '../../../model/fleet.ts';
import type { PlatformPerformance } from '../../../model/performance.ts';
import { isOn, verbNames } from '../../../model/verb.ts';

// Airframes that are built around an autopilot. Their speeds are the defaults of the autopilot's parameters. The
// sources are the parameter references of ArduPilot (WPNAV_SPEED, AIRSPEED_CRUISE, WP_SPEED …) and of PX4
// (MPC_XY_CRUISE, FW_AIRSPD_TRIM …).

type Autopilot = 'ardupilot' | 'px4';
const makerOf = { ardupilot: 'ArduPilot', px4: 'PX4' } as const;

const uaTypes = {
  multirotor: 'helicopter_or_multirotor',
  helicopter: 'helicopter_or_multirotor',
  fixed_wing: 'aeroplane',
  vtol: 'hybrid_lift',
} as const;

function generic(
  autopilot: Autopilot,
  model: string,
  spec: Pick<CatalogSpec, 'domain' | 'aliases'> & { airframe: VehicleType; performance: PlatformPerformance },
): CatalogModel {
  const maker = makerOf[autopilot];
  const uaType = uaTypes[spec.airframe as keyof typeof uaTypes];
  return {
    name: `${maker} ${model}`,
    kind: 'platform',
    spec: {
      maker,
      model,
      ...spec,
      verbs: verbNames.filter((verb) => isOn(verb, autopilot, spec.airframe)),
      ...(uaType === undefined ? {} : { ua_type: uaType }),
      control: { protocol: 'mavlink', autopilot },
    },
  };
}

const copter: PlatformPerformance = { cruise_speed_mps: 10, climb_rate_mps: 2.5, descent_rate_mps: 1.5 };
const plane: PlatformPerformance = { min_speed_mps: 9, cruise_speed_mps: 12, max_speed_mps: 22 };
const px4Copter: PlatformPerformance = {
  cruise_speed_mps: 5,
  max_speed_mps: 12,
  climb_rate_mps: 3,
  descent_rate_mps: 1.5,
};
const px4Plane: PlatformPerformance = { min_speed_mps: 10, cruise_speed_mps: 15, max_speed_mps: 20 };
const air = { domain: 'air' } as const;

export const autopilots: readonly CatalogModel[] = [
  generic('ardupilot', 'Quad', {
    ...air,
    airframe: 'multirotor',
    aliases: ['ArduCopter', 'Quadcopter'],
    performance: copter,
  }),
  generic('ardupilot', 'Hexa', { ...air, airframe: 'multirotor', performance: copter }),
  generic('ardupilot', 'Helicopter', { ...air, airframe: 'helicopter', performance: copter }),
  generic('ardupilot', 'Plane', { ...air, airframe: 'fixed_wing', aliases: ['ArduPlane'], performance: plane }),
  generic('ardupilot', 'VTOL', { ...air, airframe: 'vtol', aliases: ['QuadPlane'], performance: plane }),
  generic('ardupilot', 'Rover', {
    domain: 'land',
    airframe: 'rover',
    aliases: ['ArduRover'],
    performance: { cruise_speed_mps: 2 },
  }),
  generic('ardupilot', 'Boat', { domain: 'sea_surface', airframe: 'boat', performance: { cruise_speed_mps: 2 } }),
  generic('ardupilot', 'Sub', {
    domain: 'subsurface',
    airframe: 'submersible',
    aliases: ['ArduSub', 'BlueROV2'],
    performance: { cruise_speed_mps: 1 },
  }),
  generic('px4', 'Quad', { ...air, airframe: 'multirotor', aliases: ['PX4 Multicopter'], performance: px4Copter }),
  generic('px4', 'Hexa', { ...air, airframe: 'multirotor', performance: px4Copter }),
  generic('px4', 'Plane', { ...air, airframe: 'fixed_wing', performance: px4Plane }),
  generic('px4', 'VTOL', { ...air, airframe: 'vtol', performance: px4Plane }),
  generic('px4', 'Rover', { domain: 'land', airframe: 'rover', performance: { max_speed_mps: 3 } }),
];
