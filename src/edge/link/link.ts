import type { LinkSpec, LinkState } from '../../model/link.ts';

/** Fields of a link's declaration that the supervisor and the transports use. Outlets have the same fields. */
export type LinkPlace = Pick<LinkSpec, 'name' | 'address' | 'enabled' | 'sources_allow' | 'silence_s'> &
  Partial<Pick<LinkSpec, 'tls'>>;

/** Received bytes with their sender and their time of arrival: world time in ms, taken when the bytes were read. */
export type Chunk = { bytes: Uint8Array; from: string; atMs: number };

export type LinkStatus = {
  state: LinkState;
  /**
   * World time since which `state` holds, ms. All fields named `…Ms` are world times, formatted by the HTTP interface.
   */
  sinceMs: number;
  lastRxMs: number | null;
  lastTxMs: number | null;
  rxBytes: number;
  txBytes: number;
  /** Number of datagrams and connections that were refused because their sender is not in `sources_allow`. */
  notAllowed: number;
  /**
   * Number of connections that were refused, and of datagram senders that were forgotten, because the link reached its
   * limit of connections or senders.
   */
  overLimit: number;
  /** Number of datagrams that the kernel dropped because this process did not read them in time. */
  kernelDrops: number;
  /** Number of times that no byte arrived for `silence_s`. */
  silences: number;
  /** True if the only fault is that no byte arrived for `silence_s`. */
  isSilent: boolean;
  /** True after the peer refused the connection, until the link opens or fails for another reason. */
  isRefused: boolean;
  /** True while messages could arrive: the device is open, or a TCP connection exists. */
  hasCarrier: boolean;
  retries: number;
  nextRetryMs: number | null;
  /**
   * Reason why the link is not healthy; null if there is none. After a reopening the sentence remains until bytes
   * arrive, so that people can still read the cause.
   */
  lastError: string | null;
  /**
   * Hint for the owner of a working link, such as a device name that may refer to another device after a restart;
   * else null.
   */
  warning: string | null;
  /**
   * Address in use; null while the link is not open. A listening link has the address of its socket
   * (`127.0.0.1:49152`). A link that dials or sends has the address of the peer. A serial, Unix or file link has the
   * path of the device, socket or file.
   */
  boundTo: string | null;
};

export type LinkEvents = {
  chunk: (chunk: Chunk) => void;
  /** A peer connected. Only transports that listen for connections emit it. */
  came?: (from: string) => void;
  /** A sender or its connection is gone: discard the incomplete frame that was received from it. */
  gone: (from: string) => void;
  /** The state, error, retry or carrier changed. A change of counters alone emits no event. */
  status: (status: LinkStatus) => void;
  /**
   * Returns true while silence is no fault; the link then stays open. Without this function silence is a
   * fault, unless the transport ignores it (`OnSilence`).
   */
  mayBeQuiet?: () => boolean;
};

/**
 * Supervised connection that carries bytes and does not interpret them. A link never ends the process. A failed
 * opening is retried with back-off, unless the fault is `invalid_input`. A silent transport is closed and opened
 * again where this can help (`OnSilence` in `port.ts`). The status shows every fault.
 */
export type Link = {
  readonly spec: LinkPlace;
  /**
   * Begins to open the link and returns at once. Does nothing if the link is disabled or already started. Throws a
   * `conflict` Fault if another link of this process uses the port or device, or if this link is still closing.
   */
  start(): void;
  /** Closes the link. Resolves when its sockets and devices are closed, or after 5 s. */
  stop(): Promise<void>;
  status(): LinkStatus;
  /**
   * Closes an open link and opens it again after the back-off, like a broken transport. Called if the answers of a
   * receiver show that the receiver cannot be used, and if an outlet needs a new connection. Absent on links in memory.
   */
  fail?(sentence: string): void;
  /**
   * Closes the connection of one sender, which may connect again. If senders have no connections of their own, fails
   * the whole link with `sentence`, as `fail` does. Absent on links in memory.
   */
  cut?(from: string, sentence: string): void;
  /**
   * Sends bytes to the sender that `to` names. Without `to`, a TCP server sends to all connected peers that have no
   * write in progress. Without `to`, a UDP link sends to all senders of the last 10 s. Bytes are never queued across a
   * reopening. Throws a `conflict` Fault while the link is not open, has no receiver, or still has a write in progress
   * (UDP: 64 writes). Resolves when the kernel has accepted the bytes. An `unavailable` Fault says that the bytes were
   * not sent.
   */
  write(bytes: Uint8Array, to?: string): Promise<void>;
};
