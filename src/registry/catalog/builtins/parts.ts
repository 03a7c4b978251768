import type { PayloadSpec } from '../../../model/payload.ts';
import type { PlatformPerformance } from '../../../model/performance.ts';

/** Camera on a stabilised mount that can be turned. */
export const camera: PayloadSpec = { slot: 'camera', kind: 'camera_eo', state: 'unknown' };
export const thermal: PayloadSpec = { slot: 'thermal', kind: 'camera_ir', state: 'unknown' };

/** Converts an endurance from minutes, as in data sheets, to s. */
export const minutes = (n: number): number => n * 60;
/** Converts a range from km, as in data sheets, to m. */
export const km = (n: number): number => n * 1000;

/** Builds the performance of an aircraft from the figures in the usual order of data sheets. */
export function figures(
  massKg: number,
  enduranceMin: number,
  maxSpeedMps: number,
  more: PlatformPerformance = {},
): PlatformPerformance {
  return { mass_kg: massKg, endurance_s: minutes(enduranceMin), max_speed_mps: maxSpeedMps, ...more };
}
