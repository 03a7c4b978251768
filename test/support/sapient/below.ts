import type { TlsOptions } from 'node:tls';
import type { Credentials } from '../../../src/edge/link/tls/credentials.ts';
import type { Owner } from '../basics/owner.ts';
import { until } from '../basics/patience.ts';
import { fastTimers } from '../outlet/fast_timers.ts';
import { type RunnerRig, startRunner } from '../outlet/rig.ts';
import { FakeParent, type Reaction } from './parent.ts';

/** Node id of the boxes of `startRunner`. */
export const boxId = '5f0c2b1e-7a44-4d39-9b1c-0a1b2c3d4e5f';
/** Numbers of the states of a status report. */
export const systems = { ok: 1, warning: 2, error: 3, goodbye: 5 };
export const infos = { new: 1, unchanged: 2 };

type Given = {
  reaction?: Reaction;
  outlet?: object;
  picture?: Parameters<typeof startRunner>[2];
  /** Factor by which deadlines of the connection pass faster. */
  faster?: number;
  /** TLS of the node above, and credentials of the outlet. */
  tls?: TlsOptions;
  credentials?: Credentials;
};

/** An outlet of SAPIENT, and the node above it. */
export async function below(owner: Owner, given: Given = {}): Promise<{ parent: FakeParent; rig: RunnerRig }> {
  const { reaction, outlet, picture, faster = 1, tls = null, credentials = null } = given;
  const parent = await FakeParent.start(owner, reaction, tls);
  const spec = { kind: 'sapient', transport: 'tcp_client', address: parent.address, ...outlet };
  return { parent, rig: startRunner(owner, spec, picture, credentials, { timers: fastTimers(faster) }) };
}

/** Gives an outlet its turns of each second until there is an answer. */
export function turning<T>(rig: RunnerRig, ask: () => T | null | undefined | false, what: string): Promise<T> {
  return until(async () => {
    rig.runner.everySecond();
    return ask();
  }, what);
}
