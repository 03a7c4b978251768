import type { LinkSpec } from '../../model/link.ts';
import { fileWay } from './file.ts';
import type { Link, LinkEvents } from './link.ts';
import type { Way } from './port.ts';
import { completeRim, type FullRim, type Rim } from './rim.ts';
import { serialWay } from './serial.ts';
import { Supervisor } from './supervisor.ts';
import { tcpClientWay } from './tcp_client.ts';
import { tcpServerWay } from './tcp_server.ts';
import { udpWay } from './udp.ts';

/**
 * Makes a link of what its owner says of it; nothing is opened before `start`. Throws an `invalid_input` Fault where
 * the address or a `sources_allow` entry cannot be understood: no retry would mend that.
 */
export function createLink(spec: LinkSpec, events: LinkEvents, rim: Rim): Link {
  const full = completeRim(rim);
  return new Supervisor(spec, wayOf(spec, full), events, full);
}

/** A transport as the supervisor drives it; throws `invalid_input` as `createLink` does. */
export function wayOf(spec: LinkSpec, rim: FullRim): Way {
  switch (spec.transport) {
    case 'serial':
      return serialWay(spec, rim);
    case 'udp':
      return udpWay(spec, rim);
    case 'tcp_client':
      return tcpClientWay(spec, rim);
    case 'tcp_server':
      return tcpServerWay(spec, rim);
    case 'file':
      return fileWay(spec);
  }
}
