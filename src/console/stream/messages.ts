import type { StreamEvent } from '../../model/event.ts';

/** World (null: the shown world), workspace and credential of the stream. Without a token the open surface is used. */
export type StreamAccess = { token: string | null; workspaceId: string | null; world: 'live' | null };

/** State of the connection to the daemon. `cause` is a sentence for the operator. */
export type LinkState = {
  state: 'connecting' | 'up_to_date' | 'stale' | 'no_link';
  ageS: number;
  cause: string | null;
};

/** An event of the stream for the console; `tick` does not change the picture. */
export type Received = { kind: StreamEvent['kind'] | 'tick'; seq: number; at: string; body: object };

/**
 * Messages from the page to the worker. A renewed token is used for the next connection; the open connection continues.
 * `taken`: the page has applied and rendered the oldest batch, in `tookMs`.
 */
export type ToWorker =
  | { type: 'open'; access: StreamAccess }
  | { type: 'renewed'; token: string }
  | { type: 'taken'; tookMs: number }
  | { type: 'close' };

/** Messages from the worker to the page. `refused`: the daemon refused the credential (401 or 403). */
export type FromWorker =
  | { type: 'batch'; epoch: string; events: Received[]; receivedMs: number }
  | { type: 'link'; link: LinkState }
  | { type: 'refused'; status: number; sentence: string };
