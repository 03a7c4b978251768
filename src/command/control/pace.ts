import { Fault } from '../../model/fault.ts';
import { verbNames, verbs } from '../../model/verb.ts';

const WINDOW_MS = 1_000;
/** What stops a vehicle or brings it home may be said so often whatever the policy says of the rest. */
const SAFER_PER_S = 5;
const MOST_COUNTED = 1_000;

/** How many commands an asset takes a second. What makes safer is counted by itself: nobody's commands keep a person from saying stop. */
export class CommandPace {
  readonly #recent = new Map<string, number[]>();

  /** Counts one, or refuses it. */
  take(asset: { id: string; name: string }, verb: string, allowedPerS: number, nowMs: number): void {
    const isSafer = verbNames.some((known) => known === verb && verbs[known].class === 'safer');
    const most = isSafer ? Math.max(allowedPerS, SAFER_PER_S) : allowedPerS;
    const counted = isSafer ? `${asset.id} safer` : asset.id;
    const recent = (this.#recent.get(counted) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
    if (recent.length >= most) {
      throw new Fault('rate_limited', `${asset.name} takes ${most} commands a second at most`, { retryAfterS: 1 });
    }
    if (this.#recent.size > MOST_COUNTED) this.#recent.clear();
    this.#recent.set(counted, [...recent, nowMs]);
  }
}
