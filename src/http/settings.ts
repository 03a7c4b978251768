import type { Role } from '../model/actor.ts';
import type { TlsFiles } from './tls.ts';

/** Settings of the HTTP server that the box's owner may change. Sizes are in bytes, times in ms. */
export type HttpSettings = {
  listen: { host: string; port: number };
  /** TLS certificate and key; null for plain HTTP. */
  tls: TlsFiles | null;
  access: AccessSettings;
  privacy: PrivacySettings;
  /** Reason why changes are refused during a recovery, when the state cannot be read; null in normal operation. */
  recovery: string | null;
  limits: LimitSettings;
  stream: StreamSettings;
};

export type AccessSettings = {
  /** CIDR ranges from which requests to the open surface need no credential. */
  trustedNetworks: readonly string[];
  /**
   * Host names under which requests may address this box. IP addresses, `localhost` and the box's own host name are
   * always allowed.
   */
  allowedHosts: readonly string[];
  /** Role of requests without a credential. */
  openRole: Role;
};

type PrivacySettings = {
  /** True if viewers may see positions and operator ids of pilots. */
  viewerSeesPilot: boolean;
};

export type LimitSettings = {
  bodyBytes: number;
  ingestBodyBytes: number;
  ingestRows: number;
  /** Limit of the total size of the bodies that are being read at the same time. */
  bodiesBytes: number;
  /** Limit of one row of line-delimited JSON. */
  objectBytes: number;
  jsonDepth: number;
  headerBytes: number;
  /** Time within which the header of a request must arrive. */
  headersMs: number;
  /** Time after the header within which the body must arrive. Uploaded files are exempt. */
  requestMs: number;
  /**
   * Time without any byte in either direction after which a connection is closed, ms. Streams are exempt, and requests
   * while they run in `whileAwaited`.
   */
  idleMs: number;
  keepAliveMs: number;
  /** Limit of open connections; one trusted address may hold at most a quarter of them. */
  connections: number;
  /** Limit of connections from untrusted addresses; one untrusted address may hold at most a quarter of them. */
  untrustedConnections: number;
};

export type StreamSettings = {
  heartbeatMs: number;
  tickMs: number;
  /** Interval at which the light profile sends its held events that are due, ms. */
  releaseMs: number;
  /**
   * Limit of open streams in a workspace. One principal may hold at most a quarter of them, and one address also.
   * Operators are exempt from the limit of an address. A quarter is reserved for operators (`requirePlace` in hub.ts).
   */
  clients: number;
  /**
   * Number of unsent bytes above which a client counts as blocked. Further updates for it are merged until it has read.
   */
  highWaterBytes: number;
  /** Time after which a blocked client is disconnected, ms. */
  blockedMs: number;
  /** Limit of the waiting events that must not be merged; a client with more is disconnected. */
  pendingEvents: number;
  /** Limit of the objects with a waiting merged change; a client with more is disconnected. */
  pendingObjects: number;
};

export const httpDefaults: HttpSettings = {
  listen: { host: '127.0.0.1', port: 8077 },
  tls: null,
  access: { openRole: 'owner', trustedNetworks: ['127.0.0.0/8', '::1/128'], allowedHosts: [] },
  privacy: { viewerSeesPilot: true },
  recovery: null,
  limits: {
    bodyBytes: 1024 * 1024,
    ingestBodyBytes: 4 * 1024 * 1024,
    ingestRows: 10_000,
    bodiesBytes: 64 * 1024 * 1024,
    objectBytes: 64 * 1024,
    jsonDepth: 16,
    headerBytes: 16 * 1024,
    headersMs: 10_000,
    requestMs: 30_000,
    idleMs: 30_000,
    keepAliveMs: 10_000,
    connections: 1_024,
    untrustedConnections: 64,
  },
  stream: {
    heartbeatMs: 10_000,
    tickMs: 2_000,
    releaseMs: 1_000,
    clients: 64,
    highWaterBytes: 256 * 1024,
    blockedMs: 30_000,
    pendingEvents: 1_000,
    pendingObjects: 20_000,
  },
};
