import type { HealthPart } from '../../model/health.ts';
import type { Link } from '../../model/link.ts';
import type { Outlet } from '../../model/outlet.ts';
import type { Task } from '../../model/task.ts';
import type { ThreatFactorId } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';

/** Words on the screen for values of the interface, and hints that explain the field's own words. */

const typeNames: Record<string, string> = {
  multirotor: 'multirotor',
  fixed_wing: 'fixed-wing drone',
  vtol: 'VTOL drone',
  helicopter: 'helicopter',
  glider: 'glider',
  airship: 'airship',
  balloon: 'balloon',
  bird: 'bird',
  crewed_aircraft: 'crewed aircraft',
  person: 'person',
  vehicle: 'vehicle',
  other: 'other',
};

const factorNames: Partial<Record<ThreatFactorId | 'there', string>> = {
  there: 'has arrived',
  inside: 'inside',
  approach: 'time to reach it',
  proximity: 'distance',
  closest_approach: 'course',
  closing: 'closing speed',
  low_altitude: 'low height',
  dwell: 'time inside',
  loiter: 'time near it',
  operator_near: 'pilot near it',
};

const modalities: Record<string, string> = {
  remote_id: 'Remote ID receiver',
  adsb: 'ADS-B receiver',
  rf: 'direction finder',
  telemetry: 'own vehicle',
  external: 'other system',
};

/** Loss that a dead sensor of a modality means. */
const blindness: Partial<Record<string, string>> = {
  radar: 'an aircraft that transmits nothing is not seen',
  camera: 'nothing is recognised by its looks',
  acoustic: 'no sound of motors is noticed',
  lidar: 'an aircraft that transmits nothing is not seen at close range',
  rf: 'the radios of drones and of their pilots are not located',
  remote_id: 'no Remote ID is received: no serial numbers, and no places of pilots',
  adsb: 'aircraft with people on board are not received',
  human: 'no observer reports',
  external: 'the tracks of the other system are missing',
};

const identityNames: Record<string, string> = {
  serial: 'Serial number',
  mac: 'Radio address',
  icao24: 'ICAO address',
  callsign: 'Call sign',
  caa: 'Registration',
  utm: 'Flight number (UTM)',
  session: 'Session number',
  mavlink: 'Autopilot number',
  external: 'Number in another system',
};

const stateHints: Record<Track['state'], string> = {
  tentative: 'Seen too seldom yet to be sure that it is there',
  confirmed: 'Seen often enough to be sure that it is there',
  coasting: 'Not seen at the moment: the place is a prediction',
  lost: 'Not seen for a while: the place is the last one known',
  closed: 'Ended',
};

const responseHints: Record<string, string> = {
  observe: 'A camera looks at it from where the vehicle is',
  investigate: 'A vehicle flies there and looks at it',
  notify: 'Nothing flies: a row of the log tells the other screens, and webhooks where they are set up',
  shadow: 'A vehicle follows it at a distance',
};

/** A value of the interface without a word of its own, readable. */
const plain = (value: string): string => value.replaceAll('_', ' ');

export const terms = {
  type: (type: string) => typeNames[type] ?? type,
  factor: (id: ThreatFactorId | 'there') => factorNames[id] ?? plain(id),
  stateHint: (state: Track['state']) => stateHints[state],
  phase: (phase: Task['phase']) =>
    ({
      going: 'on its way',
      on_station: 'there',
      giving_way: 'backs off, because the aircraft comes closer',
      holding: 'holds',
      returning: 'returns home',
      over: 'over',
    })[phase],
  responseHint: (response: string) => responseHints[response] ?? '',
  verdict: (verdict: Track['integrity']['verdict']): string =>
    ({ unchecked: 'not checked yet', consistent: 'sensors agree', suspect: 'suspect' })[verdict],
  identity: (type: string, transport: string) =>
    `${identityNames[type] ?? plain(type)}${transport === 'other' ? '' : ` (${plain(transport)})`}`,
  modality: (modality: string | undefined): string =>
    modality === undefined ? '' : (modalities[modality] ?? plain(modality)),
  /** Meaning of a dead sensor, as a sentence; empty for a modality that needs none. */
  without: (modality: string, isDoubled: boolean): string => {
    const says = blindness[modality];
    if (says === undefined) return '';
    return isDoubled ? `Where no other of its kind covers: ${says}.` : `Without it, ${says}.`;
  },
  boxPart: (name: string) => (name === 'core' ? 'tracker' : plain(name)),
  partState: (state: HealthPart['state']) => ({ up: 'works', degraded: 'degraded', down: 'failed' })[state],
  linkState: (state: Link['state'] | Outlet['state']) =>
    ({
      refused: 'refused',
      failed: 'failed',
      backoff: 'waits to retry',
      opening: 'opens',
      open: 'open',
      disabled: 'off',
    })[state],
};
