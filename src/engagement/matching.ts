import { addon } from '../geo/addon.ts';
import type { Enu } from '../geo/position.ts';
import { LIMIT, PAIR, type PairWhy, PLAN, pairWhys, TARGET, VEHICLE } from '../model/rows/layouts.ts';
import { packRow, packRows, type RowValues } from '../model/rows/pack_row.ts';
import type { Able } from './able.ts';
import type { PlanningProfile } from './deps.ts';
import type { LevelVelocity } from './plane.ts';

/** Performance, position and home of a vehicle. All vehicles share one local plane. */
export type MatchVehicle = Able & Enu & { home: Pick<Enu, 'eastM' | 'northM'> };
/**
 * A track or asset to which vehicles are assigned. `weight`, 0 to 1, decides which targets get vehicles if there are
 * too few; `wanted` is the number of vehicles.
 */
export type MatchTarget = Enu & {
  velocity: LevelVelocity;
  standoffM: number;
  weight: number;
  wanted: number;
};
export type MatchSettings = {
  weights: PlanningProfile['weights'];
  moving: boolean;
  stationS: number;
  horizonS: number;
};

export type Pair = { cost: number; timeS: number; energyAfterPct: number; closestM: number; why: PairWhy };

/** Result: `vehicles[i]` are the indices of the vehicles chosen for target i, the best first. */
export type Matching = {
  vehicles: number[][];
  pair(target: number, vehicle: number): Pair;
};

export const MOST_MATCHED = LIMIT.matched;

/**
 * Assigns vehicles to targets over all pairs at once. `allowed` has targets × vehicles entries, ordered by target. At
 * most `MOST_MATCHED` vehicles and as many targets fit.
 */
export function match(
  vehicles: readonly MatchVehicle[],
  targets: readonly MatchTarget[],
  allowed: Uint8Array,
  settings: MatchSettings,
): Matching {
  const each = Math.max(1, ...targets.map(({ wanted }) => wanted));
  const pairs = new Float64Array(vehicles.length * targets.length * PAIR.width);
  const chosen = new Float64Array(targets.length * each);
  const rows = [packRows(VEHICLE, vehicles.map(vehicleRow)), packRows(TARGET, targets.map(targetRow))] as const;
  if (addon.assignVehicles(...rows, allowed, packRow(PLAN, planRow(settings)), pairs, chosen) !== 0) {
    const sizes = `${vehicles.length} vehicles and ${targets.length} targets`;
    throw new RangeError(`${sizes} do not fit ${allowed.length} pairs`);
  }
  const cell = (target: number, vehicle: number, column: number): number =>
    pairs[(target * vehicles.length + vehicle) * PAIR.width + column] ?? 0;
  return {
    vehicles: targets.map((_, i) => [...chosen.subarray(i * each, (i + 1) * each)].filter((vehicle) => vehicle >= 0)),
    pair: (target, vehicle) => ({
      cost: cell(target, vehicle, PAIR.cost),
      timeS: cell(target, vehicle, PAIR.timeS),
      energyAfterPct: cell(target, vehicle, PAIR.energyAfterPct),
      closestM: cell(target, vehicle, PAIR.closestM),
      why: pairWhys[cell(target, vehicle, PAIR.why)] ?? 'not_allowed',
    }),
  };
}

function vehicleRow({ home, drainPctS, ...vehicle }: MatchVehicle): RowValues<typeof VEHICLE> {
  return { ...vehicle, drainPctPerS: drainPctS, homeEastM: home.eastM, homeNorthM: home.northM };
}

function targetRow({ velocity, ...target }: MatchTarget): RowValues<typeof TARGET> {
  return { ...target, ...velocity };
}

function planRow({ weights, moving, stationS, horizonS }: MatchSettings): RowValues<typeof PLAN> {
  return {
    weightTime: weights.time,
    weightEnergy: weights.energy,
    weightSensor: weights.sensor_fit,
    weightLink: weights.link_range,
    weightSeparation: weights.separation,
    moving: moving ? 1 : 0,
    stationS,
    horizonS,
  };
}
