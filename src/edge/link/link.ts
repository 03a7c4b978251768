import type { LinkSpec, LinkState } from '../../model/link.ts';

/** Bytes as they came in: who sent them and when (world milliseconds, stamped where they were read). */
export type Chunk = { bytes: Uint8Array; from: string; atMs: number };

export type LinkStatus = {
  state: LinkState;
  /** World milliseconds; the HTTP room writes them as times. */
  sinceMs: number;
  lastRxMs: number | null;
  lastTxMs: number | null;
  rxBytes: number;
  txBytes: number;
  /** Datagrams, or reads of a stream, that were refused because their sender is not in `sources_allow`. */
  notAllowed: number;
  retries: number;
  nextRetryMs: number | null;
  lastError: string | null;
  /** Where the link really listens, for port 0: `127.0.0.1:49152`; null while it is not open. */
  boundTo: string | null;
};

export type LinkEvents = {
  chunk: (chunk: Chunk) => void;
  /** A sender (connection) is gone: its half-received frame is to be forgotten. */
  gone: (from: string) => void;
  /** Something of the status changed that a person would want to see: state, error, retry. */
  status: (status: LinkStatus) => void;
};

/**
 * A supervised way in and out for bytes. It knows no meaning. A link is never fatal: what cannot be opened is tried
 * again with back-off, what falls silent is closed and opened again, and every fault is in its status.
 */
export type Link = {
  readonly spec: LinkSpec;
  /** Begins opening; returns at once. Throws a `conflict` Fault where another link of this process owns the port or device. */
  start(): void;
  /** Closes and resolves when nothing is open any more. */
  stop(): Promise<void>;
  status(): LinkStatus;
  /**
   * Sends bytes, to the sender named by `to` (or every known one of a socket). Refused with a `conflict` Fault while the link is
   * not open or a former write has not left yet; never queued across a reopen. Resolves when the bytes have left.
   */
  write(bytes: Uint8Array, to?: string): Promise<void>;
};
