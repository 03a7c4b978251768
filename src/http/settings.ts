import type { Role } from '../model/actor.ts';
import type { TlsFiles } from './tls.ts';

/** What a box's owner may set of this room. Sizes in bytes, times in milliseconds. */
export type HttpSettings = {
  listen: { host: string; port: number };
  /** Null serves plain HTTP. */
  tls: TlsFiles | null;
  access: AccessSettings;
  privacy: PrivacySettings;
  /** Why nothing can be changed, while the state of the box cannot be read; null in normal work. */
  recovery: string | null;
  limits: LimitSettings;
  stream: StreamSettings;
};

export type AccessSettings = {
  /** CIDR ranges whose requests to the open surface need no credential. */
  trustedNetworks: readonly string[];
  /** Names that a request may call this box by, besides its addresses, `localhost` and its own host name. */
  allowedHosts: readonly string[];
  /** What a request to the open surface may do. */
  openRole: Role;
};

export type PrivacySettings = {
  /** Whether a viewer is told where pilots are and what their operator ids are. */
  viewerSeesPilot: boolean;
};

export type LimitSettings = {
  bodyBytes: number;
  ingestBodyBytes: number;
  ingestRows: number;
  /** Of all bodies that are being read at once. */
  bodiesBytes: number;
  /** Of one row of line-delimited JSON, and of any free-form object. */
  objectBytes: number;
  jsonDepth: number;
  headerBytes: number;
  /** How long a request's header, and a whole request, may take to arrive. */
  headersMs: number;
  requestMs: number;
  /** A connection with neither a byte read nor written for so long is cut, streams aside. */
  idleMs: number;
  keepAliveMs: number;
  /** Open at once; one address may hold a quarter of them. */
  connections: number;
  /** How many of the connections may be of addresses that are not trusted; one of them may hold a quarter of these. */
  untrustedConnections: number;
};

export type StreamSettings = {
  heartbeatMs: number;
  /** Streams open at once in a workspace: a quarter for one principal and one address at most, and a quarter for operators alone. */
  clients: number;
  /** A client with more unsent bytes than this is blocked: its updates merge until it has read. */
  highWaterBytes: number;
  /** Blocked for so long, a client is cut. */
  blockedMs: number;
  /** More waiting events that must not merge than this, and a blocked client is cut. */
  pendingEvents: number;
  /** The same for objects with a merged change waiting. */
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
    clients: 64,
    highWaterBytes: 256 * 1024,
    blockedMs: 30_000,
    pendingEvents: 1_000,
    pendingObjects: 20_000,
  },
};
