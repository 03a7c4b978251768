import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Access } from '../access/access.ts';
import { Fault, type FaultCode, sentenceOf } from '../model/fault.ts';
import { createApp } from './app.ts';
import { limitArrival } from './arrival.ts';
import { admitConnections, answerBadRequests } from './connections.ts';
import type { HttpLog, HttpMetrics } from './log.ts';
import type { ServedLogLevel, ServedMaps, ServedWorkspaces } from './served.ts';
import type { HttpSettings } from './settings.ts';
import { createHubs } from './stream/hubs.ts';
import { createWebServer } from './tls.ts';

export type HttpServer = ReturnType<typeof createServer>;

const farewellMs = 1_000;

export function createServer(parts: {
  workspaces: ServedWorkspaces;
  maps: ServedMaps;
  logLevel: ServedLogLevel;
  access: Access;
  settings: HttpSettings;
  log: HttpLog;
  metrics: HttpMetrics;
}) {
  const { access, settings, metrics, log } = parts;
  const hubs = createHubs(settings.stream, metrics);
  let server: Server | null = null;
  let unsubscribe = (): unknown => undefined;

  return {
    /** Starts listening. Throws a Fault that names the address if the server cannot listen. */
    async start(): Promise<{ url: string }> {
      const handle = createApp({ ...parts, hubs }).callback();
      const { limits } = settings;
      const options = {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: limits.headersMs,
        // Node's limit is off, because it is the same for all requests. `limitArrival` limits the arrival of bodies except
        // uploaded files.
        requestTimeout: 0,
        keepAliveTimeout: limits.keepAliveMs,
        connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
        // The guard refuses requests without a Host header itself, with the failure envelope.
        requireHostHeader: false,
        noDelay: true,
      };
      const made = createWebServer(options, settings.tls);
      // By default Node silently drops headers beyond 2 000, possibly one that a proxy appended. The size of all
      // headers is limited anyway.
      made.maxHeadersCount = 0;
      made.maxConnections = limits.connections;
      made.setTimeout(limits.idleMs);
      limitArrival(made, limits.requestMs);
      made.on('request', handle);
      // `Expect: 100-continue` is answered when the body is read, after route and permissions were checked.
      made.on('checkContinue', handle);
      admitConnections(made, settings, metrics);
      answerBadRequests(made, limits, metrics);
      await listen(made, settings.listen);
      server = made;
      unsubscribe = access.onPermissionsChanged(() => hubs.sweep((by) => access.standsAs(by)));
      const { address, port, family } = made.address() as AddressInfo;
      const url = `${settings.tls === null ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
      log.info({ url }, 'http listens');
      return { url };
    },

    /** Ends all streams, waits at most one second for answers that are being sent, then closes every connection. */
    async stop(): Promise<void> {
      const closing = server;
      server = null;
      if (closing === null) return;
      unsubscribe();
      const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
      hubs.stop();
      closing.closeIdleConnections();
      const force = setTimeout(() => closing.closeAllConnections(), farewellMs);
      await closed;
      clearTimeout(force);
    },
  };
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(listenFault(error, host, port));
    server.once('error', refuse);
    server.listen({ host, port }, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

const listenReasons: Record<string, { code: FaultCode; why: string }> = {
  EADDRINUSE: {
    code: 'conflict',
    why: 'another program already listens there; choose another port with --listen HOST:PORT',
  },
  EACCES: { code: 'forbidden', why: 'this user has no permission; ports below 1024 need a privilege' },
  EADDRNOTAVAIL: { code: 'invalid_input', why: 'this box has no such address' },
  ENOTFOUND: { code: 'invalid_input', why: 'the host name is not known' },
};

function listenFault(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  const { code, why } = listenReasons[error.code ?? ''] ?? { code: 'unavailable', why: sentenceOf(error) };
  return new Fault(code, `cannot listen for HTTP on port ${port} of ${host}: ${why}`, { cause: error });
}
