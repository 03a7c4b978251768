import type { RejectReason } from '../../../model/link.ts';

/** Captured packet. The bytes are valid only until the call returns. */
export type CapturedPacket = {
  linkType: number;
  /** Time by the receiver's clock, ms; null if the capture has no time for the packet. */
  atMs: number | null;
  bytes: Buffer;
};

/** Interface statistics of a pcapng stream. */
export type CaptureStatistics = {
  interface: number;
  /** Packets that the receiver received and lost since it began; null if it does not count them. */
  received: number | null;
  dropped: number | null;
  comment: string | null;
};

export type CaptureSink = {
  packet(packet: CapturedPacket): void;
  statistics(statistics: CaptureStatistics): void;
  /** Reports a refused record with the reason. `fault` is a clause that continues 'the record at byte …'. */
  reject(reason: RejectReason, fault: string): void;
};

/** Longest packet that is read, bytes. Longer packets are skipped and counted; radio frames are far shorter. */
export const LONGEST_PACKET = 65_536;
/** Longest packet that a capture can contain, bytes (tcpdump's greatest snapshot length). A longer one shows damage. */
export const LONGEST_CAPTURED = 262_144;

/**
 * Result of an attempt to read one record. `used`: number of bytes that were read; `skip`: number of further bytes to
 * skip, because the record is too long to keep. `need`: the record is incomplete and has at least this many bytes.
 * `damaged`: the reason why the bytes are no record.
 */
export type Step = { used: number; skip?: number } | { need: number } | { damaged: string };

/** Reader of the records of one capture format. */
export type CaptureFormat = {
  /** Reads the record at the beginning of `bytes`. */
  next(bytes: Buffer, sink: CaptureSink): Step;
  /** Returns the offset of the first byte at which a record may begin, at most the length of `bytes`. */
  find(bytes: Buffer): number;
};
