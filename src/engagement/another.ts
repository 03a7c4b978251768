import type { Plan } from '../model/engagement.ts';
import { deadlineOf, type Held } from './held.ts';

/** A plan that is better by so many points is worth reading anew. */
const BETTER = 20;

/**
 * Why what could be proposed now is so much another than what is proposed that people have to read it anew; null where it
 * is not, and what they are reading stays. `isGood` says whether a plan could still be done.
 */
export function isAnother(
  held: Held,
  fresh: readonly Plan[],
  nowMs: number,
  isGood: (plan: Plan) => boolean,
): string | null {
  const before = new Map(held.engagement.candidates.map((plan) => [plan.response, plan]));
  const offers = (plans: Iterable<Plan>): string =>
    [...plans]
      .map(({ response }) => response)
      .sort()
      .join();
  if (offers(before.values()) !== offers(fresh)) return 'what may be done about it is another now';
  for (const plan of fresh) {
    const was = before.get(plan.response);
    const why = was && difference(held, was, plan, nowMs, isGood);
    if (why) return why;
  }
  return null;
}

function difference(held: Held, was: Plan, is: Plan, nowMs: number, isGood: (plan: Plan) => boolean): string | null {
  const { response } = is;
  if (was.policy_version !== is.policy_version) return 'the decision config is another now';
  if (was.required_approvals !== is.required_approvals) return `'${response}' takes the approval of others now`;
  if (!was.feasible) return is.feasible ? `'${response}' can be done now` : null;
  if (nowMs >= deadlineOf(held, was.id)) return `the plan to ${response} expired`;
  if (!isGood(was)) return `the plan to ${response} can no longer be done as it was`;
  if (is.feasible && is.score >= was.score + BETTER) return `there is a much better way to ${response}`;
  return null;
}
