import { completeDeps, type Deps, type FullDeps } from './deps.ts';
import { type Greeting, greetedTransport } from './greeting.ts';
import type { Link, LinkEvents } from './link.ts';
import type { MqttSession } from './mqtt/session.ts';
import { mqttTransport } from './mqtt/transport.ts';
import type { Transport } from './port.ts';
import { Supervisor } from './supervisor.ts';
import { tcpClientTransport } from './tcp_client.ts';
import { tcpServerTransport } from './tcp_server.ts';
import { tlsClientTransport } from './tls_client.ts';
import { type SenderPlace, udpSenderTransport } from './udp_sender.ts';

/** Declaration of a link that an outlet sends by. */
export type SenderSpec = SenderPlace & {
  transport: keyof typeof transports;
  /** MQTT session on top of the transport; absent if plain bytes are sent. */
  broker?: MqttSession;
  /** Creates the greeting (first exchange with the peer) of each connection; absent if data may be sent at once. */
  greet?(): Greeting;
};

/** Transports that send. Unlike a sensor link, a UDP sender has a fixed receiver and does not listen. */
const transports = {
  udp: udpSenderTransport,
  tcp_client: tcpClientTransport,
  tls_client: tlsClientTransport,
  tcp_server: tcpServerTransport,
};

/**
 * Creates a link that sends; `start` opens it. Throws an `invalid_input` Fault if the address is invalid, since a
 * retry could not succeed.
 */
export function createSender(spec: SenderSpec, events: LinkEvents, deps: Deps): Link {
  const full = completeDeps(deps);
  const bytes = transports[spec.transport](spec, full);
  return new Supervisor(spec, withSession(bytes, spec, full), events, full);
}

function withSession(bytes: Transport, { address, broker, greet }: SenderSpec, deps: FullDeps): Transport {
  if (broker !== undefined) return mqttTransport(bytes, address, broker, deps);
  return greet === undefined ? bytes : greetedTransport(bytes, address, greet, deps);
}
