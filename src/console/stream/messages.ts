import type { StreamEvent } from '../../model/event.ts';

/** Address and credential of the stream. Without a token the open surface is asked. */
export type StreamAccess = { token: string | null; workspaceId: string | null; world: 'live' | null };

/** State of the connection to the daemon. `cause` is a sentence for the operator. */
export type LinkState = {
  state: 'connecting' | 'up_to_date' | 'stale' | 'no_link';
  ageS: number;
  cause: string | null;
};

/** Event of the stream as the console applies it; `tick` is no change of the picture. */
export type Received = { kind: StreamEvent['kind'] | 'tick'; seq: number; at: string; body: object };

/** Page to worker. A renewed token is for the next connection; the open one goes on. */
export type ToWorker = { type: 'open'; access: StreamAccess } | { type: 'renewed'; token: string } | { type: 'close' };

/** Worker to page. `refused` means that the credential is not valid any more. */
export type FromWorker =
  | { type: 'batch'; epoch: string; events: Received[]; receivedMs: number }
  | { type: 'link'; link: LinkState }
  | { type: 'refused'; status: number; sentence: string };
