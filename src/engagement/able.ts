import { WEAK } from '../command/safety/energy.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { PlanVehicle } from './deps.ts';
import { LEAST_LIFT_M } from './liftoff.ts';

/** Values for a vehicle whose model gives none. Most real vehicles are better. */
const unsaid = { launchS: 30, cameraM: 1_000, gimbalM: 500 };

export type Able = {
  speedMps: number;
  climbMps: number;
  launchS: number;
  energyPct: number;
  drainPctS: number;
  reachM: number;
  seesM: number;
  reservePct: number;
};

/** Returns the performance of a vehicle for planning, within the limits of the policy. */
export function ableOf(vehicle: PlanVehicle, policy: DecisionPolicy, reservePct: number): Able {
  const { row, performance: can } = vehicle;
  const { limits } = policy;
  const weak = WEAK[row.vehicle_type ?? 'other'];
  const cruise = can.cruise_speed_mps ?? weak.cruiseMps;
  const speedMps = Math.max(0.1, Math.min(cruise, can.max_speed_mps ?? cruise, limits.max_speed_mps));
  const energyPct = row.energy_pct ?? 0;
  const drainPctS =
    vehicle.enduranceS !== null && vehicle.enduranceS > 0
      ? energyPct / vehicle.enduranceS
      : 100 / Math.max(1, can.endurance_s ?? weak.enduranceS);
  const climbMps = Math.max(0.1, Math.min(can.climb_rate_mps ?? weak.climbMps, can.descent_rate_mps ?? Infinity));
  return {
    speedMps,
    climbMps,
    launchS: row.landed === 'on_ground' ? (can.launch_time_s ?? unsaid.launchS) + LEAST_LIFT_M / climbMps : 0,
    energyPct,
    drainPctS,
    reachM: Math.min(can.link_range_m ?? Infinity, can.max_range_m ?? Infinity, limits.max_range_m),
    seesM: seesM(vehicle),
    reservePct: Math.max(reservePct, policy.engagement.reserve_pct, can.reserve_pct ?? 0),
  };
}

/**
 * Returns the range of vision, m: the range of the best working camera. Without a working camera, returns an assumed
 * range if the vehicle offers `look_at` (has a gimbal), else 0.
 */
function seesM({ row, payloads }: PlanVehicle): number {
  const cameras = payloads.filter(
    ({ kind, state }) => (kind === 'camera_eo' || kind === 'camera_ir') && state !== 'failed' && state !== 'off',
  );
  if (cameras.length > 0) return Math.max(...cameras.map(({ range_m }) => range_m ?? unsaid.cameraM));
  return row.verbs.some(({ verb }) => verb === 'look_at') ? unsaid.gimbalM : 0;
}
