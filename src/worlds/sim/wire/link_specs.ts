import type { LinkSpec, Protocol } from '../../../model/link.ts';
import type { ScenarioSensor } from '../../../model/scenario.ts';

const NEVER_SILENT_S = 86_400;
const MOST_MSGS_PER_S = 100_000;

export const linkNameOf = (sensorId: string): string => `sim-${sensorId}`;

export function protocolOf({ modality }: ScenarioSensor): Protocol {
  if (modality === 'remote_id') return 'mavlink';
  return modality === 'adsb' ? 'sbs' : 'obs_json';
}

/** The link that a sensor's bytes come over: in memory, so that transport and address say nothing. */
export function sensorLink(sensor: ScenarioSensor): LinkSpec {
  return {
    name: linkNameOf(sensor.id),
    transport: 'udp',
    address: 'memory',
    baud: 115_200,
    protocol: protocolOf(sensor),
    enabled: true,
    discover: 'off',
    command: 'deny',
    sources_allow: [],
    max_msgs_per_s: MOST_MSGS_PER_S,
    signing: 'none',
    silence_s: NEVER_SILENT_S,
  };
}

/** The link of one of our vehicles: a line of its own, so that who speaks there is proven. */
export function twinLink(name: string): LinkSpec {
  return {
    ...{ name, transport: 'serial', address: 'memory', baud: 115_200, protocol: 'mavlink', enabled: true },
    ...{ discover: 'list', command: 'allow', sources_allow: [], max_msgs_per_s: MOST_MSGS_PER_S, signing: 'none' },
    silence_s: NEVER_SILENT_S,
  };
}
