import type { Identity } from '../../model/observation.ts';
import type { Vehicle } from './vehicle.ts';

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
