import type { SegmentLimits, Written } from './segment_writer.ts';

export type ThreadData = { folder: string; limits: SegmentLimits };

export type ToThread = { type: 'batch'; bytes: Uint8Array } | { type: 'stop' };

export type FromThread =
  | { type: 'ready' }
  /** A batch of so many bytes is written. */
  | { type: 'written'; batchBytes: number; now: Written }
  /** Nothing more is written; where `sentence` says why, nobody asked for it. */
  | { type: 'ended'; sentence: string | null; now: Written };
