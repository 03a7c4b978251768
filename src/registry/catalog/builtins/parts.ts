import type { PayloadSpec } from '../../../model/payload.ts';
import type { PlatformPerformance } from '../../../model/performance.ts';

/** A camera on a stabilised, turning mount. */
export const camera: PayloadSpec = { slot: 'camera', kind: 'camera_eo', state: 'unknown' };
export const thermal: PayloadSpec = { slot: 'thermal', kind: 'camera_ir', state: 'unknown' };

/** Endurance of a data sheet, minutes, in seconds. */
export const minutes = (n: number): number => n * 60;
/** Range of a data sheet, kilometres, in metres. */
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
