import { connect } from 'node:net';
import { dialAddress } from './address.ts';
import type { FullDeps } from './deps.ts';
import { type Dialling, dialledPort, keepAliveMs } from './dialled_port.ts';
import { explain } from './explain.ts';
import type { LinkPlace } from './link.ts';
import type { Transport } from './port.ts';

/**
 * Transport of an outgoing TCP connection. `sources_allow` does not apply, because the address already names the
 * peer.
 */
export function tcpClientTransport(spec: LinkPlace, deps: FullDeps): Transport {
  const { host, port } = dialAddress(spec);
  const peer = spec.address;
  const dialling: Dialling = {
    ...{ peer, host, port },
    dial: (ready) => connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs }, ready),
    explain: (error) => explain(peer, error),
    closed: () => `the connection to ${peer} closed`,
    late: (_socket, limit) => `${peer} did not answer in ${limit}`,
  };
  return {
    port: (events) => dialledPort(dialling, events, deps),
    claim: () => () => {},
    onSilence: 'reopen',
    carrier: 'open',
    warning: null,
  };
}
