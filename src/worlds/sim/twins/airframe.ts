import type { PlatformPerformance } from '../../../model/performance.ts';
import type { ScenarioActor } from '../../../model/scenario.ts';

/** What a twin can do: by its performance, and where that says nothing as such aircraft usually can. */
export type Airframe = {
  /** It flies by wings: it cannot stand in the air. */
  wings: boolean;
  cruiseMps: number;
  /** Through the air, as `minMps`. */
  maxMps: number;
  minMps: number;
  climbMps: number;
  descentMps: number;
  /** As hard as it speeds up and slows down. */
  accelMps2: number;
  /** As fast as it turns, radians a second, where its bank does not limit it first. */
  turnRadps: number;
  enduranceS: number;
};

type Usual = Omit<Airframe, 'wings'>;

const rotors: Usual = {
  ...{ cruiseMps: 10, maxMps: 20, minMps: 0, climbMps: 3, descentMps: 2 },
  ...{ accelMps2: 3, turnRadps: Math.PI / 2, enduranceS: 1_800 },
};
const wing: Usual = {
  ...{ cruiseMps: 22, maxMps: 30, minMps: 13, climbMps: 5, descentMps: 3 },
  ...{ accelMps2: 2, turnRadps: Math.PI / 4, enduranceS: 5_400 },
};

/** A vertical take-off plane is flown on its rotors throughout. */
export function airframeOf({ type }: Pick<ScenarioActor, 'type'>, told: PlatformPerformance): Airframe {
  const wings = type === 'fixed_wing' || (type === undefined && (told.min_speed_mps ?? 0) > 0);
  const usual = wings ? wing : rotors;
  const cruiseMps = told.cruise_speed_mps ?? Math.min(usual.cruiseMps, told.max_speed_mps ?? usual.cruiseMps);
  const maxMps = Math.max(told.max_speed_mps ?? Math.max(usual.maxMps, cruiseMps * 1.3), 1);
  const minMps = wings ? Math.min(told.min_speed_mps ?? Math.min(usual.minMps, cruiseMps * 0.7), maxMps) : 0;
  return {
    wings,
    maxMps,
    minMps,
    cruiseMps: Math.min(Math.max(cruiseMps, minMps, 0.5), maxMps),
    climbMps: told.climb_rate_mps || usual.climbMps,
    descentMps: told.descent_rate_mps || usual.descentMps,
    accelMps2: usual.accelMps2,
    turnRadps: told.turn_rate_dps ? (told.turn_rate_dps * Math.PI) / 180 : usual.turnRadps,
    enduranceS: told.endurance_s || usual.enduranceS,
  };
}

const GRAVITY = 9.81;
const BANK_RAD = (45 * Math.PI) / 180;

/** How fast wings turn at an airspeed, radians a second. */
export function turnRate({ turnRadps }: Airframe, airMps: number): number {
  return Math.min(turnRadps, (GRAVITY * Math.tan(BANK_RAD)) / Math.max(airMps, 1));
}

/** The circle that wings fly where they are told none: what they can turn in some wind, and no less than usual. */
export function usualRadiusM(frame: Airframe, airMps: number): number {
  return Math.max(80, (1.5 * airMps) / turnRate(frame, airMps));
}
