import { addon } from '../../geo/addon.ts';
import type { Able } from './able.ts';
import type { PlanningProfile } from './rim.ts';

/** Metres in one local plane. */
export type Spot = { east: number; north: number; up: number };
export type MatchVehicle = Able & Spot & { home: { east: number; north: number } };
/** `weight` of 0 to 1 says who goes without where vehicles are short. */
export type MatchTarget = Spot & {
  velocity: { east: number; north: number };
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

/** Why a pair cannot be, in the order of native/assign.h. */
export const pairWhys = ['fits', 'not_allowed', 'out_of_reach', 'too_slow', 'low_energy', 'sees_nothing'] as const;
export type PairWhy = (typeof pairWhys)[number];
export type Pair = { cost: number; timeS: number; energyAfterPct: number; closestM: number; why: PairWhy };

/** `vehicles[i]` are those of target i, the first choice first. */
export type Matching = {
  vehicles: number[][];
  pair(target: number, vehicle: number): Pair;
  why(target: number, vehicle: number): PairWhy;
};

export const MOST_MATCHED = 256;
const VEHICLE_COLUMNS = 13;
const TARGET_COLUMNS = 8;
const PAIR_COLUMNS = 5;

/** Matches over all pairs at once; `allowed` is targets × vehicles. At most 256 of each. */
export function match(
  vehicles: readonly MatchVehicle[],
  targets: readonly MatchTarget[],
  allowed: Uint8Array,
  settings: MatchSettings,
): Matching {
  const each = Math.max(1, ...targets.map(({ wanted }) => wanted));
  const pairs = new Float64Array(vehicles.length * targets.length * PAIR_COLUMNS);
  const chosen = new Float64Array(targets.length * each);
  const columns = { vehicles: vehicleColumns(vehicles), targets: targetColumns(targets), settings: of(settings) };
  if (addon.assignVehicles(columns.vehicles, columns.targets, allowed, columns.settings, pairs, chosen) !== 0)
    throw new RangeError(
      `${vehicles.length} vehicles and ${targets.length} targets do not fit ${allowed.length} pairs`,
    );
  return {
    vehicles: targets.map((_, i) => [...chosen.subarray(i * each, (i + 1) * each)].filter((vehicle) => vehicle >= 0)),
    pair(target, vehicle) {
      const at = (target * vehicles.length + vehicle) * PAIR_COLUMNS;
      const column = (index: number): number => pairs[at + index] ?? 0;
      const why = pairWhys[column(4)] ?? 'not_allowed';
      return { cost: column(0), timeS: column(1), energyAfterPct: column(2), closestM: column(3), why };
    },
    why: (target, vehicle) =>
      pairWhys[pairs[(target * vehicles.length + vehicle) * PAIR_COLUMNS + 4] ?? 1] ?? 'not_allowed',
  };
}

function vehicleColumns(vehicles: readonly MatchVehicle[]): Float64Array {
  const columns = new Float64Array(vehicles.length * VEHICLE_COLUMNS);
  for (const [i, v] of vehicles.entries()) {
    const flight = [v.speedMps, v.climbMps, v.launchS, v.energyPct, v.drainPctS];
    const bounds = [v.home.east, v.home.north, v.reachM, v.seesM, v.reservePct];
    columns.set([v.east, v.north, v.up, ...flight, ...bounds], i * VEHICLE_COLUMNS);
  }
  return columns;
}

function targetColumns(targets: readonly MatchTarget[]): Float64Array {
  const columns = new Float64Array(targets.length * TARGET_COLUMNS);
  for (const [i, t] of targets.entries()) {
    const moving = [t.velocity.east, t.velocity.north];
    columns.set([t.east, t.north, t.up, ...moving, t.standoffM, t.weight, t.wanted], i * TARGET_COLUMNS);
  }
  return columns;
}

function of({ weights, moving, stationS, horizonS }: MatchSettings): Float64Array {
  const { time, energy, sensor_fit, link_range, separation } = weights;
  return Float64Array.of(time, energy, sensor_fit, link_range, separation, moving ? 1 : 0, stationS, horizonS);
}
