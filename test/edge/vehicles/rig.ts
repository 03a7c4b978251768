import { ArduCopter, type ArduCopterOptions, COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { Station } from '../../support/vehicles/station.ts';
import type { Vehicle } from '../../support/vehicles/vehicle.ts';

type Teardown = { teardown(act: () => unknown): void };

/** MAV_RESULT by name, so that a table of answers reads as one. */
export const ANSWER = ['ACCEPTED', 'TEMPORARILY_REJECTED', 'DENIED', 'UNSUPPORTED', 'FAILED'] as const;

export function word(result: number | null): string {
  return result === null ? 'silence' : (ANSWER[result] ?? String(result));
}

/** A vehicle on a time of its own that passes by `tick`, and a ground station that hears it. */
export async function copterRig(t: Teardown, options: Partial<ArduCopterOptions> = {}, stationOptions = {}) {
  const station = await Station.open(t, stationOptions);
  const copter = new ArduCopter({ groundStation: station.address, manual: true, ready: true, ...options });
  await started(t, copter, station);
  return { station, copter };
}

/** Starts a vehicle and waits until its station has its first words. */
export async function started(t: Teardown, vehicle: Vehicle, station: Station): Promise<void> {
  await vehicle.start();
  t.teardown(() => vehicle.stop());
  vehicle.tick(0.04);
  await station.settle();
}

/** Brings a copter into GUIDED flight at a height, by commands. */
export async function takenOff(station: Station, copter: ArduCopter, heightM = 15): Promise<void> {
  await station.long(copter, CMD.setMode, [1, COPTER_MODE.guided]);
  await station.long(copter, CMD.armDisarm, [1]);
  await station.long(copter, CMD.takeoff, [0, 0, 0, 0, 0, 0, heightM]);
  copter.tick(30);
  await station.settle();
}
