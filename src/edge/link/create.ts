import type { LinkSpec } from '../../model/link.ts';
import { mqttLinkOptions } from '../../model/link_options.ts';
import { completeDeps, type Deps, type FullDeps } from './deps.ts';
import { fileTransport } from './file.ts';
import type { Link, LinkEvents } from './link.ts';
import { mqttTransport, sessionOfLink } from './mqtt/transport.ts';
import type { Transport } from './port.ts';
import { serialTransport } from './serial.ts';
import { Supervisor } from './supervisor.ts';
import { tcpClientTransport } from './tcp_client.ts';
import { tcpServerTransport } from './tcp_server.ts';
import { tlsClientTransport } from './tls_client.ts';
import { udpTransport } from './udp.ts';
import { unixTransport } from './unix.ts';

/**
 * Creates a link from its declaration; `start` opens it. Throws an `invalid_input` Fault if the address or a
 * `sources_allow` entry is invalid, since a retry could not succeed.
 */
export function createLink(spec: LinkSpec, events: LinkEvents, deps: Deps): Link {
  const full = completeDeps(deps);
  return new Supervisor(spec, transportOf(spec, full), events, full);
}

/**
 * Creates the transport that the supervisor opens and closes. Throws `invalid_input` under the same conditions as
 * `createLink`.
 */
export function transportOf(spec: LinkSpec, deps: FullDeps): Transport {
  const bytes = byteTransport(spec, deps);
  if (spec.protocol !== 'mqtt') return bytes;
  return mqttTransport(bytes, spec.address, sessionOfLink(mqttLinkOptions(spec.options)), deps);
}

function byteTransport(spec: LinkSpec, deps: FullDeps): Transport {
  switch (spec.transport) {
    case 'serial':
      return serialTransport(spec, deps);
    case 'udp':
      return udpTransport(spec, deps);
    case 'tcp_client':
      return tcpClientTransport(spec, deps);
    case 'tls_client':
      return tlsClientTransport(spec, deps);
    case 'tcp_server':
      return tcpServerTransport(spec, deps);
    case 'unix':
      return unixTransport(spec, deps);
    case 'file':
      return fileTransport(spec);
  }
}
