import type { LinkSpec } from '../../model/link.ts';
import type { ScenarioSensor } from '../../model/scenario.ts';

const NEVER_SILENT_S = 86_400;
const MOST_MSGS_PER_S = 100_000;

type Differing = Pick<LinkSpec, 'name' | 'transport' | 'protocol' | 'discover' | 'command'>;

/** Returns the link of a sensor. No commands are sent on it. */
export function sensorLink({ id, modality }: ScenarioSensor): LinkSpec {
  const protocol = modality === 'remote_id' ? 'mavlink' : modality === 'adsb' ? 'sbs' : 'obs_json';
  return memoryLink({ name: `sim-${id}`, transport: 'udp', protocol, discover: 'off', command: 'deny' });
}

/** Returns the link of a simulated vehicle: a serial line, which proves its sender. */
export function vehicleLink(name: string): LinkSpec {
  return memoryLink({ name, transport: 'serial', protocol: 'mavlink', discover: 'list', command: 'allow' });
}

function memoryLink({ name, transport, protocol, discover, command }: Differing): LinkSpec {
  return {
    ...{ name, transport, address: 'memory', baud: 115_200, protocol, options: {}, enabled: true },
    ...{ discover, command, sources_allow: [], max_msgs_per_s: MOST_MSGS_PER_S, signing: 'none' },
    silence_s: NEVER_SILENT_S,
    tls: null,
  };
}
