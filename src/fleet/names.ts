import type { Identity } from '../model/observation.ts';
import type { Endpoint } from './endpoint.ts';
import type { Vehicle } from './vehicle.ts';

/** Time for which a vehicle may report its own names before it is listed under its address, ms. */
const NAMES_WITHIN_MS = 2_000;

/**
 * Identities of a vehicle: its Remote ID serial, which other transports report too, and its hardware id, which only
 * MAVLink has. Names that another vehicle holds are left out.
 */
export function identitiesOf(vehicle: Vehicle): Identity[] {
  const { serial, version } = vehicle;
  const identities: Identity[] = [];
  if (serial !== null) identities.push({ type: 'serial', value: serial, transport: 'mavlink' });
  if (version?.uid2) identities.push({ type: 'mavlink', value: version.uid2, transport: 'mavlink' });
  return identities.filter(({ value }) => isNamed(vehicle, value));
}

/** Name of a vehicle's address on a link. It is the vehicle's first alias. */
export function addressName({ linkId, sysid, compid }: Pick<Endpoint, 'linkId' | 'sysid' | 'compid'>): string {
  return `mavlink:${linkId}:${sysid}:${compid}`;
}

/** Whether the vehicle holds a name. */
export function isNamed({ key, aliases }: Vehicle, name: string): boolean {
  return key === name || aliases.has(name);
}

/** Display name of a vehicle without an asset. */
export function nameOf({ autopilot, type, sysid, compid }: Vehicle): string {
  const stack = autopilot === 'ardupilot' ? 'ArduPilot' : autopilot === 'px4' ? 'PX4' : 'MAVLink';
  return `${stack} ${type.replace('_', ' ')} ${sysid}/${compid}`;
}

/**
 * Gives a vehicle the name that it keeps (`key`): its Remote ID serial, else its hardware id, else its address. Waits
 * up to `NAMES_WITHIN_MS` for the hardware id, unless nothing is requested from the vehicle (`asksNothing`).
 */
export function nameVehicle(vehicle: Vehicle, asksNothing: boolean, nowMs: number): void {
  if (vehicle.key !== null) return;
  const [receivedAs = ''] = vehicle.aliases;
  if (vehicle.version === null && !asksNothing && nowMs - vehicle.firstMs < NAMES_WITHIN_MS) return;
  vehicle.key = identitiesOf(vehicle)[0]?.value ?? receivedAs;
  vehicle.aliases.delete(vehicle.key);
}

/** Whether the vehicle has this name. `name` must be in capitals. */
export function isCalled({ key, aliases }: Vehicle, name: string): boolean {
  return key?.toUpperCase() === name || [...aliases].some((alias) => alias.toUpperCase() === name);
}
