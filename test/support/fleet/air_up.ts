import type { Test } from 'tap';
import type { PlatformPerformance } from '../../../src/model/performance.ts';
import type { CommandParams } from '../../../src/model/verb.ts';
import { ArduCopter, type ArduCopterOptions } from '../vehicles/arducopter.ts';
import type { Point } from '../vehicles/flight.ts';
import { Air } from './air.ts';

export type Up = { air: Air; copter: ArduCopter; id: string };

/** A copter of ours on the ground, ready. */
export async function copterReady(
  t: Test,
  options: Partial<ArduCopterOptions> = {},
  performance: PlatformPerformance = {},
): Promise<Up> {
  const air = new Air(t);
  const { address } = await air.link();
  const copter = new ArduCopter({ groundStation: address, manual: true, ready: true, ...options });
  return { air, copter, id: await air.adopt(copter, 'Heron', performance) };
}

/** The same in the air. */
export async function copterUp(
  t: Test,
  heightM = 20,
  options: Partial<ArduCopterOptions> = {},
  performance: PlatformPerformance = {},
): Promise<Up> {
  const ready = await copterReady(t, options, performance);
  await ready.air.takeoff(ready.id, heightM);
  return ready;
}

export function place({ lat, lon }: Point, heightM = 20, more: { speed_mps?: number } = {}): CommandParams {
  return { kind: 'point', lat, lon, height_takeoff_m: heightM, ...more };
}

/** Lets a copter refuse one mode from now on, as for a reason of its own. */
export function refuseMode(copter: ArduCopter, refused: number): void {
  const own = copter as unknown as { setMode(mode: number): boolean };
  const before = own.setMode.bind(copter);
  own.setMode = (mode) => mode !== refused && before(mode);
}
