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

/** The declaration of a link that is made to send. */
export type SenderSpec = SenderPlace & {
  transport: keyof typeof transports;
  /** Session of MQTT over the transport; absent for bytes alone. */
  broker?: MqttSession;
  /** Exchange that opens each connection; absent where bytes may flow at once. */
  greet?(): Greeting;
};

/** Supervised transports that send. Unlike the links of sensors, one of UDP has a receiver and does not listen. */
const transports = {
  udp: udpSenderTransport,
  tcp_client: tcpClientTransport,
  tls_client: tlsClientTransport,
  tcp_server: tcpServerTransport,
};

/**
 * Makes a link that sends; nothing is opened before `start`. Throws an `invalid_input` Fault where the address cannot be
 * understood: no retry would mend that.
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
