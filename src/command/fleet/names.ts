import type { Identity } from '../../model/observation.ts';
import type { Vehicle } from './vehicle.ts';

/** A vehicle is shown once its own names had time to come. */
const NAMES_WITHIN_MS = 2_000;

/** Its Remote ID serial is a serial to all the world; its hardware id only MAVLink knows. */
export function identitiesOf({ serial, version }: Vehicle): Identity[] {
  const identities: Identity[] = [];
  if (serial !== null) identities.push({ type: 'serial', value: serial, transport: 'mavlink' });
  if (version?.uid2) identities.push({ type: 'mavlink', value: version.uid2, transport: 'mavlink' });
  return identities;
}

/** What a vehicle is called that nobody has named. */
export function nameOf({ autopilot, type, sysid, compid }: Vehicle): string {
  const stack = autopilot === 'ardupilot' ? 'ArduPilot' : autopilot === 'px4' ? 'PX4' : 'MAVLink';
  return `${stack} ${type.replace('_', ' ')} ${sysid}/${compid}`;
}

/** Gives a vehicle the first name that lasts: its Remote ID serial, its hardware id, or where it is heard. */
export function nameVehicle(vehicle: Vehicle, asksNothing: boolean, nowMs: number): void {
  if (vehicle.key !== null) return;
  const [heardAs = ''] = vehicle.aliases;
  if (vehicle.version === null && !asksNothing && nowMs - vehicle.firstMs < NAMES_WITHIN_MS) return;
  vehicle.key = vehicle.serial ?? vehicle.version?.uid2 ?? heardAs;
  vehicle.aliases.delete(vehicle.key);
}

/** Whether a name, in capitals, is one of the vehicle's. */
export function isCalled({ key, aliases }: Vehicle, name: string): boolean {
  return key?.toUpperCase() === name || [...aliases].some((alias) => alias.toUpperCase() === name);
}
