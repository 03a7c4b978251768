import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect, type SecureContext, type TLSSocket } from 'node:tls';
import { type TlsSpec, tlsInForce } from '../../model/credentials.ts';
import { dialAddress } from './address.ts';
import type { FullDeps, Timers } from './deps.ts';
import { type Dialling, dialledPort, keepAliveMs } from './dialled_port.ts';
import type { LinkPlace } from './link.ts';
import type { Transport } from './port.ts';
import { contextOf, type TlsMaterial } from './tls/credentials.ts';
import { closedSentence, explainTls } from './tls/explain.ts';

/** Longest wait for a TLS 1.3 server to accept or refuse our certificate, ms. */
const VERDICT_MS = 1_000;

/**
 * Transport of an outgoing TLS connection (TLS 1.2 or 1.3). The server's authority is always verified. The server's
 * name is verified too, unless `tls.verify` is `chain`. `sources_allow` does not apply, because the address already
 * names the peer.
 */
export function tlsClientTransport(spec: LinkPlace, deps: FullDeps): Transport {
  const { host, port } = dialAddress(spec);
  const peer = spec.address;
  const checks = tlsInForce({ transport: 'tls_client', tls: spec.tls ?? null }) as TlsSpec;
  const expected = checks.server_name ?? host;
  return {
    port(events) {
      const state = { peer, expected, hasOwn: false, isOpen: false };
      const dialling: Dialling = {
        ...{ peer, host, port },
        dial(ready) {
          const material = deps.tls();
          state.hasOwn = material !== null && material.cert !== null;
          if (checks.verify === 'chain' && (material?.ca ?? null) === null) throw new Error(NO_AUTHORITY);
          const secureContext = contextFor(material, state);
          return dialTls({ host, port, expected, checks, secureContext }, deps.timers, () => {
            state.isOpen = true;
            ready();
          });
        },
        explain: (error) => explainTls(error, state),
        closed: () => (state.isOpen ? `the connection to ${peer} closed` : closedSentence(state)),
        late: (socket, limit) =>
          socket.connecting
            ? `${peer} did not answer in ${limit}`
            : `${peer} did not complete the TLS handshake in ${limit}`,
      };
      return dialledPort(dialling, events, deps);
    },
    claim: () => () => {},
    onSilence: 'reopen',
    carrier: 'open',
    warning: null,
  };
}

/** Creates the TLS context of a connection. Throws an Error with a sentence if OpenSSL refuses the credentials. */
function contextFor(material: TlsMaterial | null, state: Parameters<typeof explainTls>[1]): SecureContext {
  try {
    return contextOf(material ?? { cert: null, key: null, ca: null });
  } catch (thrown) {
    throw new Error(explainTls(thrown as Error, state));
  }
}

const NO_AUTHORITY =
  "tls.verify 'chain' needs an authority of your own (ca_pem): with the public ones, any server of the internet would pass";

type Server = { host: string; port: number; expected: string; checks: TlsSpec; secureContext: SecureContext };

function dialTls({ host, port, expected, checks, secureContext }: Server, timers: Timers, ready: () => void): Socket {
  const socket = connect({
    ...{ host, port, secureContext },
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED and Node.js flags, which could disable the verification.
    rejectUnauthorized: true,
    // Server name indication must be a host name, never an IP address (RFC 6066, section 3).
    ...(isIP(expected) === 0 && { servername: expected.replace(/\.$/, '') }),
    checkServerIdentity: (_host, certificate) =>
      checks.verify === 'chain' ? undefined : checkServerIdentity(expected, certificate),
  });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  socket.once('secureConnect', () => afterVerdict(socket, timers, ready));
  return socket;
}

/**
 * Calls `ready` when the server has accepted our certificate, or that we have none. In TLS 1.3 the handshake ends on
 * this side before the server has checked the certificate (RFC 8446, section 4.6.2 and appendix A.1). The first session
 * ticket proves acceptance; so does `VERDICT_MS` without a refusal.
 */
function afterVerdict(socket: TLSSocket, timers: Timers, ready: () => void): void {
  if (socket.getProtocol() !== 'TLSv1.3') {
    ready();
    return;
  }
  const done = (): void => {
    cancel();
    socket.off('session', done);
    // The `session` event fires inside a read of OpenSSL. Bytes written during that event would not be sent.
    setImmediate(() => {
      if (!socket.destroyed) ready();
    });
  };
  const cancel = timers.after(VERDICT_MS, done);
  socket.once('session', done);
  socket.once('close', cancel);
}
