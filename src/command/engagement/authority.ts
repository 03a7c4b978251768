import { isAtLeast } from '../../model/actor.ts';
import type { Engagement, Plan, PlanApproval } from '../../model/engagement.ts';
import { Fault } from '../../model/fault.ts';
import { verbs } from '../../model/verb.ts';
import type { ControlSettings, Decider, Release } from './rim.ts';

export function requireControl({ enabled }: ControlSettings): void {
  if (!enabled) throw new Fault('not_built', 'vehicles are not commanded by this box: control.enabled is false');
}

/** A plan is approved by a person. What only holds a secret is none. */
export function requirePerson({ isKey, actor }: Decider): void {
  if (isKey) throw new Fault('forbidden', `key ${actor.name}: a plan is approved by a person, and a key is none`);
}

/** Refuses who may not approve this plan, whatever state it is in. */
export function requireMay(
  by: Decider,
  plan: Plan,
  release: Release,
  control: ControlSettings,
  ask: PlanApproval,
): void {
  if (!isAtLeast(by.role, release.role)) {
    const sentence = `the doctrine lets the role ${release.role} release '${plan.response}', and this is ${by.role}`;
    throw new Fault('forbidden', sentence);
  }
  if (by.actor.type !== 'open') return;
  const { openSurface } = control;
  const moves = plan.legs.some(({ verb }) => verbs[verb].class === 'movement');
  if (openSurface === 'deny' || (openSurface === 'observe_only' && moves))
    throw new Fault('forbidden', `sign in to approve this plan: control.open_surface is ${openSurface}`);
  for (const field of ['operator', 'reason'] as const)
    if (ask[field] === undefined)
      throw new Fault('invalid_input', `'${field}' is needed to approve a plan where nobody signed in`);
  if (plan.required_approvals > 1)
    throw new Fault('conflict', 'this plan takes the approval of two people: sign in, so that two can be told apart');
}

/** Two approvals are of two people, and neither is of whom asked for the plan. */
export function requireAnother({ userId }: Decider, { approvals, proposed_by }: Engagement, plan: Plan): void {
  if (plan.required_approvals < 2) return;
  if (userId === null)
    throw new Fault('conflict', 'this plan takes the approval of two people: sign in, so that two can be told apart');
  if (proposed_by?.user_id === userId)
    throw new Fault('conflict', 'this plan takes the approval of two people who did not ask for it, and you did');
  if (approvals.some((approval) => approval.decision === 'approved' && approval.user_id === userId))
    throw new Fault('conflict', 'you approved this plan already: the other approval must be of somebody else');
}
