import type { Actor } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import { networkOf } from '../../model/network.ts';
import { verbNames, verbs } from '../../model/verb.ts';

const WINDOW_MS = 1_000;
/**
 * Commands per second that are always allowed for each safer verb (`hold`, `return_home`, stop all), even if the policy
 * allows fewer.
 */
const SAFER_PER_S = 5;
const MOST_COUNTED = 4_096;

/** Kinds of requests that are counted separately for each principal: each safer verb, other verbs, and refusals. */
export type Lane = 'hold' | 'return_home' | 'stop_all' | 'other' | 'refused';

export function laneOf(verb: string): Lane {
  const known = verbNames.find((name) => name === verb && verbs[name].class === 'safer');
  return known === 'hold' || known === 'return_home' ? known : 'other';
}

/**
 * Limits the commands per second from one principal to one asset. Each principal has a rate of its own. A refused
 * command does not count in the rate of commands; `refused` has a rate of its own. A principal is a user, a key, or on
 * the open surface an IPv4 address or an IPv6 /64 network. The table is bounded: the entry that was counted longest ago
 * is evicted.
 */
export class CommandPace {
  readonly #recent = new Map<string, number[]>();

  /** Throws `rate_limited` if the principal used up its rate in the last second. The command itself is not counted. */
  require(by: Actor, of: { id: string; name: string }, lane: Lane, allowedPerS: number, nowMs: number): void {
    const most = lane === 'other' || lane === 'refused' ? allowedPerS : Math.max(allowedPerS, SAFER_PER_S);
    if (this.#since(keyOf(by, of.id, lane), nowMs).length < most) return;
    const sentence = `${of.name} accepts at most ${most} commands a second from one sender: try again after 1 s`;
    throw new Fault('rate_limited', sentence, { retryAfterS: 1 });
  }

  count(by: Actor, of: { id: string }, lane: Lane, nowMs: number): void {
    const key = keyOf(by, of.id, lane);
    const recent = [...this.#since(key, nowMs), nowMs];
    // Removed and inserted again, so that the map stays sorted by the time of the last count.
    this.#recent.delete(key);
    this.#recent.set(key, recent);
    for (const [oldest, times] of this.#recent) {
      if (this.#recent.size <= MOST_COUNTED && nowMs - (times.at(-1) ?? 0) < WINDOW_MS) break;
      this.#recent.delete(oldest);
    }
  }

  /** Number of entries in the table. */
  get remembered(): number {
    return this.#recent.size;
  }

  #since(key: string, nowMs: number): number[] {
    return (this.#recent.get(key) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
  }
}

function keyOf({ type, id, address }: Actor, of: string, lane: Lane): string {
  return JSON.stringify([type, type === 'open' ? networkOf(address ?? id) : id, of, lane]);
}
