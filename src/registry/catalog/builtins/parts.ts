import type { PayloadSpec } from '../../../model/payload.ts';
import type { PlatformPerformance } from '../../../model/performance.ts';

/** A camera that a stabilised mount turns. */
export const camera: PayloadSpec = { slot: 'camera', kind: 'camera_eo', state: 'unknown' };
export const thermal: PayloadSpec = { slot: 'thermal', kind: 'camera_ir', state: 'unknown' };

/** Minutes, as data sheets tell endurance. */
export const minutes = (n: number): number => n * 60;
/** Kilometres, as data sheets tell ranges. */
export const km = (n: number): number => n * 1000;

/** Figures of an aircraft in the usual order of data sheets. */
export function figures(
  massKg: number,
  enduranceMin: number,
  maxSpeedMps: number,
  more: PlatformPerformance = {},
): PlatformPerformance {
  return { mass_kg: massKg, endurance_s: minutes(enduranceMin), max_speed_mps: maxSpeedMps, ...more };
}
