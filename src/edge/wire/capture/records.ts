import type { RejectReason } from '../../../model/link.ts';

/** One captured packet. The bytes are only good until the call returns. */
export type CapturedPacket = {
  linkType: number;
  /** Time of the receiver's clock, ms; null where the capture has none for it. */
  atMs: number | null;
  bytes: Buffer;
};

/** Interface statistics of a pcapng stream. */
export type CaptureStatistics = {
  interface: number;
  /** Packets that the receiver got and lost since it began; null where it counts none. */
  received: number | null;
  dropped: number | null;
  comment: string | null;
};

export type CaptureSink = {
  packet(packet: CapturedPacket): void;
  statistics(statistics: CaptureStatistics): void;
  /** A record that is refused, and why. The sentence part follows the words 'the block' or 'the packet'. */
  reject(reason: RejectReason, fault: string): void;
};

/** Longest packet that is read; radio frames are far shorter. Longer ones are skipped and counted. */
export const LONGEST_PACKET = 65_536;
/** Longest packet that a capture can hold (tcpdump's largest snapshot length); a longer one shows damage. */
export const LONGEST_CAPTURED = 262_144;

/**
 * Outcome of reading at the beginning of some bytes: a record of `used` bytes, of which the last `skip` are still to
 * come where it was too long to be held; a record that needs at least `need` bytes; or no record.
 */
export type Step = { used: number; skip?: number } | { need: number } | { damaged: string };

/** The records of one capture format. */
export type CaptureFormat = {
  /** Reads the record at the beginning of `bytes`. */
  next(bytes: Buffer, sink: CaptureSink): Step;
  /** Offset of the first byte at which a record may begin, at most the length of `bytes`. */
  find(bytes: Buffer): number;
};
