import type { Role } from '../model/actor.ts';
import type { TlsFiles } from './tls.ts';

/** Settings of the HTTP server that a box's owner may change. Sizes in bytes, times in milliseconds. */
export type HttpSettings = {
  listen: { host: string; port: number };
  /** Null serves plain HTTP. */
  tls: TlsFiles | null;
  access: AccessSettings;
  privacy: PrivacySettings;
  /** Reason why nothing can be changed while the state of the box cannot be read; null in normal operation. */
  recovery: string | null;
  limits: LimitSettings;
  stream: StreamSettings;
};

export type AccessSettings = {
  /** CIDR ranges whose requests to the open surface need no credential. */
  trustedNetworks: readonly string[];
  /** Host names by which requests may address this box, besides its addresses, `localhost` and its own host name. */
  allowedHosts: readonly string[];
  /** Role of requests to the open surface. */
  openRole: Role;
};

type PrivacySettings = {
  /** Whether viewers see positions and operator ids of pilots. */
  viewerSeesPilot: boolean;
};

export type LimitSettings = {
  bodyBytes: number;
  ingestBodyBytes: number;
  ingestRows: number;
  /** Limit for all bodies that are being read at once. */
  bodiesBytes: number;
  /** Limit for one row of line-delimited JSON, and for any free-form object. */
  objectBytes: number;
  jsonDepth: number;
  headerBytes: number;
  /** Time limits for a request's header, and a whole request, to arrive. */
  headersMs: number;
  requestMs: number;
  /** Time without a byte read or written after which a connection is cut, streams excepted, ms. */
  idleMs: number;
  keepAliveMs: number;
  /** Limit of open connections; one address may hold a quarter of them. */
  connections: number;
  /** Limit of connections from untrusted addresses; one address may hold a quarter of these. */
  untrustedConnections: number;
};

export type StreamSettings = {
  heartbeatMs: number;
  tickMs: number;
  /** Interval at which the light profile sends its held events, ms. */
  releaseMs: number;
  /**
   * Limit of open streams in a workspace. One principal and one address may hold a quarter each, and a quarter is
   * reserved for operators.
   */
  clients: number;
  /** A client with more unsent bytes than this is blocked: its updates are merged until it has read. */
  highWaterBytes: number;
  /** Time after which a blocked client is cut, ms. */
  blockedMs: number;
  /** Limit of waiting events that must not merge; a blocked client with more is cut. */
  pendingEvents: number;
  /** Limit of objects with a waiting merged change; a blocked client with more is cut. */
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
