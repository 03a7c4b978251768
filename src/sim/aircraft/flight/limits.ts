import type { PlatformPerformance } from '../../../model/performance.ts';
import type { ScenarioActor } from '../../../model/scenario.ts';

export type FlightType = NonNullable<ScenarioActor['type']>;

/** Flight limits of a body, in metres, seconds and radians. */
export type FlightLimits = {
  /** True if the body can hover. Otherwise it flies at `minMps` at least and turns by banking. */
  hovers: boolean;
  cruiseMps: number;
  maxMps: number;
  minMps: number;
  climbMps: number;
  descentMps: number;
  turnRadS: number;
  accelMps2: number;
  /**
   * Greatest acceleration perpendicular to the course, m/s². It is reached in the tightest turn that bank angle or
   * motors permit.
   */
  acrossMps2: number;
  enduranceS: number;
};

const DEGREE = Math.PI / 180;
const GRAVITY_MPS2 = 9.81;
/** Factor between the maximum speed and the cruise or minimum speed. It is used for a speed that is not declared. */
const MARGIN_OVER_CRUISE = 1.3;

type Defaults = Omit<FlightLimits, 'turnRadS' | 'acrossMps2'> & { turnDps: number; maxBankDeg: number };

function defaults(
  hovers: boolean,
  [cruiseMps, maxMps, minMps]: readonly [number, number, number],
  [climbMps, descentMps]: readonly [number, number],
  [turnDps, maxBankDeg, accelMps2]: readonly [number, number, number],
  enduranceS: number,
): Defaults {
  return { hovers, cruiseMps, maxMps, minMps, climbMps, descentMps, turnDps, maxBankDeg, accelMps2, enduranceS };
}

/** Defaults of small drones and birds, if neither catalog nor scenario gives a value. */
const ofType: Record<FlightType, Defaults> = {
  multirotor: defaults(true, [12, 18, 0], [4, 3], [120, 0, 4], 1_800),
  fixed_wing: defaults(false, [18, 28, 11], [4, 5], [40, 45, 2.5], 3_600),
  vtol: defaults(true, [16, 26, 0], [4, 3], [60, 0, 3], 3_600),
  helicopter: defaults(true, [15, 25, 0], [5, 4], [60, 0, 3], 3_600),
  bird: defaults(false, [12, 20, 5], [2, 5], [120, 60, 4], Number.POSITIVE_INFINITY),
};

/** Defaults of crewed aircraft. */
const crewed: Partial<Record<FlightType, Defaults>> = {
  fixed_wing: defaults(false, [100, 250, 35], [12, 12], [4, 30, 1.5], 18_000),
  helicopter: defaults(true, [50, 75, 0], [7, 7], [20, 0, 2], 9_000),
};

/**
 * Returns the flight type of an actor. If the scenario gives none, kind and performance determine the type. Actors of
 * the kind `aircraft`, and actors with a minimum speed, have fixed wings.
 */
export function typeOf(actor: Pick<ScenarioActor, 'kind' | 'type'>, performance: PlatformPerformance): FlightType {
  if (actor.type) return actor.type;
  if (actor.kind === 'bird') return 'bird';
  return actor.kind === 'aircraft' || (performance.min_speed_mps ?? 0) > 0 ? 'fixed_wing' : 'multirotor';
}

/** Returns the flight limits from scenario and catalog (`said`), with defaults for missing values. */
export function limitsOf(actor: Pick<ScenarioActor, 'kind' | 'type'>, said: PlatformPerformance): FlightLimits {
  const type = typeOf(actor, said);
  const usual = (actor.kind === 'aircraft' ? crewed[type] : undefined) ?? ofType[type];
  const minMps = usual.hovers ? 0 : (said.min_speed_mps ?? usual.minMps);
  const fastest = Math.max(
    usual.maxMps,
    MARGIN_OVER_CRUISE * (said.cruise_speed_mps ?? 0),
    minMps * MARGIN_OVER_CRUISE,
  );
  const maxMps = positive(said.max_speed_mps) ?? fastest;
  const cruise = positive(said.cruise_speed_mps) ?? Math.min(usual.cruiseMps, maxMps / MARGIN_OVER_CRUISE);
  return {
    hovers: usual.hovers,
    maxMps,
    minMps: Math.min(minMps, maxMps),
    cruiseMps: Math.min(Math.max(cruise, minMps), maxMps),
    climbMps: positive(said.climb_rate_mps) ?? usual.climbMps,
    descentMps: positive(said.descent_rate_mps) ?? usual.descentMps,
    turnRadS: (positive(said.turn_rate_dps) ?? usual.turnDps) * DEGREE,
    accelMps2: usual.accelMps2,
    acrossMps2: usual.hovers ? usual.accelMps2 : GRAVITY_MPS2 * Math.tan(usual.maxBankDeg * DEGREE),
    enduranceS: positive(said.endurance_s) ?? usual.enduranceS,
  };
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;
