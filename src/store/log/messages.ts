import type { FaultCode } from '../../model/fault.ts';
import type { Dropped } from './dropped.ts';
import type { HeldSpan } from './held.ts';
import type { Question } from './queries.ts';
import type { HistoryLimits, Pruned } from './retention.ts';
import type { Batch } from './row_bytes.ts';
import type { RawPage } from './selecting.ts';

/** Data with which the history thread is started. */
export type ThreadData = {
  readonly folder: string;
  /** Id of this run of the daemon. A restarted thread recognises by it which batches its files already have. */
  readonly session: string;
  readonly retention: HistoryLimits;
  /** Spans that retention must not delete; default none. */
  readonly held?: readonly HeldSpan[];
};

export type ToThread =
  | ({ readonly type: 'batch' } & Batch)
  /** The rows of all batches so far have waited long enough. */
  | { readonly type: 'due' }
  | { readonly type: 'ask'; readonly id: number; readonly question: Question }
  | { readonly type: 'keep'; readonly retention: HistoryLimits; readonly held: readonly HeldSpan[] }
  | { readonly type: 'stop' };

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'committed'; readonly seq: number; readonly refused: Dropped; readonly atMs: number }
  | { readonly type: 'answer'; readonly id: number; readonly page: RawPage }
  | { readonly type: 'refusal'; readonly id: number; readonly code: FaultCode; readonly sentence: string }
  | {
      readonly type: 'condition';
      readonly text: string | null;
      readonly note: string | null;
      readonly bytes: number;
      readonly heldBytes: number;
    }
  | ({ readonly type: 'pruned' } & Pruned)
  | { readonly type: 'fault'; readonly code: FaultCode; readonly sentence: string };
