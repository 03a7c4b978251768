import type { SegmentLimits, Written } from './segment_writer.ts';

export type ThreadData = { folder: string; limits: SegmentLimits };

export type ToThread = { type: 'batch'; bytes: Uint8Array } | { type: 'stop' };

export type FromThread =
  | { type: 'ready' }
  /** A batch of `batchBytes` bytes was written. */
  | { type: 'written'; batchBytes: number; now: Written }
  /** Writing ended. `sentence` gives the cause; null if the end was requested. */
  | { type: 'ended'; sentence: string | null; now: Written };
