import type { LinkSpec, LinkState } from '../../model/link.ts';

/** The fields of a declaration that its supervisor and its socket use; outlets have them too. */
export type LinkPlace = Pick<LinkSpec, 'name' | 'address' | 'enabled' | 'sources_allow' | 'silence_s'> &
  Partial<Pick<LinkSpec, 'tls'>>;

/** Bytes as they arrived, with their sender and their time of arrival (world milliseconds, taken where they were read). */
export type Chunk = { bytes: Uint8Array; from: string; atMs: number };

export type LinkStatus = {
  state: LinkState;
  /** World milliseconds; the HTTP interface writes them as times. */
  sinceMs: number;
  lastRxMs: number | null;
  lastTxMs: number | null;
  rxBytes: number;
  txBytes: number;
  /** Datagrams and connections that were refused because their sender is not in `sources_allow`. */
  notAllowed: number;
  /** Connections refused, and datagram senders forgotten, because the link already holds as many as it may. */
  overLimit: number;
  /** Datagrams the kernel dropped because this process was too slow to take them. */
  kernelDrops: number;
  /** Number of times the silence deadline passed. */
  silences: number;
  /** True where the only fault is that no byte arrived for `silence_s`. */
  isSilent: boolean;
  /** True where the peer answered that it refuses the connection, until it is open. */
  isRefused: boolean;
  /** A device or TCP connection is there over which messages could come. */
  hasCarrier: boolean;
  retries: number;
  nextRetryMs: number | null;
  /**
   * Why the link is not healthy. The sentence stays until bytes arrive, so that a link just opened again still shows
   * it.
   */
  lastError: string | null;
  /** Something for the owner to mend although the link works: a device number that another device may get. */
  warning: string | null;
  /**
   * The address in use; null while the link is not open. It is the socket's own address (`127.0.0.1:49152`) where it
   * listens, the dialled peer, or the device or file behind a name.
   */
  boundTo: string | null;
};

export type LinkEvents = {
  chunk: (chunk: Chunk) => void;
  /** A peer connected, where the peers dial. */
  came?: (from: string) => void;
  /** A sender (connection) is gone: its half-received frame is to be forgotten. */
  gone: (from: string) => void;
  /** Something of the status changed that a person would want to see: state, error, retry. */
  status: (status: LinkStatus) => void;
  /** True while silence is no fault: the link then stays open. Absent: silence is always a fault. */
  mayBeQuiet?: () => boolean;
};

/**
 * A supervised way in and out for bytes, which it does not interpret. A link never ends the process. A failed opening
 * is tried again with back-off, a silent transport is closed and opened again, and every fault is in the status.
 */
export type Link = {
  readonly spec: LinkPlace;
  /**
   * Begins opening; returns at once. Does nothing where the spec is not enabled, or the link is started already. Throws
   * a `conflict` Fault where another link of this process owns the port or device.
   */
  start(): void;
  /** Closes and resolves when nothing is open any more. */
  stop(): Promise<void>;
  status(): LinkStatus;
  /**
   * Closes an open link and opens it again after the back-off, as a transport that broke: what its receiver says shows that
   * it cannot be used. Absent on links in memory, which have no receiver to set up.
   */
  fail?(sentence: string): void;
  /** Closes the connection of one sender, which may dial again. Absent where a sender has no connection. */
  cut?(from: string, sentence: string): void;
  /**
   * Sends bytes, to the sender named by `to` (or every known one of a socket). Throws a `conflict` Fault while the link
   * is not open, or where there is no receiver. The same holds while a former write has not left yet (on UDP: 64
   * writes). Bytes are never queued across a reopen. Resolves when the kernel has taken the bytes; an `unavailable`
   * Fault says that they did not leave.
   */
  write(bytes: Uint8Array, to?: string): Promise<void>;
};
