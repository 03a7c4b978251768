import type { SensorLink } from '../edge/feed/link_places.ts';
import { OWN_POSITION } from '../edge/feed/own_position.ts';
import { type LinkSpec, provesSender } from '../model/link.ts';
import type { Modality } from '../model/sensor.ts';
import type { DeclaredLink } from './link_runner.ts';

/** A link as its sensors depend on it. */
export function sensorLink({ id, spec, issuedFor }: DeclaredLink, hasOwnRow: boolean): SensorLink {
  const receiver = spec.protocol === 'nmea' ? OWN_POSITION : '';
  return {
    id,
    name: spec.name,
    silenceS: spec.silence_s,
    own: hasOwnRow ? { receiver, modality: modalityOf(spec, issuedFor !== null) } : null,
    isTrusted: provesSender(spec) || spec.transport === 'tcp_client' || spec.transport === 'file',
    isSerial: spec.transport === 'serial',
  };
}

/** The modality of a link's own row, before anybody was received there. Links that command vehicles carry telemetry. */
function modalityOf({ protocol, command }: LinkSpec, isForAsset: boolean): Modality {
  switch (protocol) {
    case 'odid_raw':
    case 'odid_json':
      return 'remote_id';
    case 'sbs':
      return 'adsb';
    case 'mavlink':
      return command === 'allow' || isForAsset ? 'telemetry' : 'remote_id';
    case 'nmea':
    case 'obs_json':
      return 'telemetry';
  }
}
