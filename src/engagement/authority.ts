import type { ControlSettings } from '../command/authority.ts';
import { isAtLeast, type Role } from '../model/actor.ts';
import type { Engagement, Plan, PlanApproval } from '../model/engagement.ts';
import { conflict, Fault, forbidden, invalidInput } from '../model/fault.ts';
import { verbs } from '../model/verb.ts';
import type { Decider, EngagementDeps } from './deps.ts';

export function requireControl({ enabled }: ControlSettings): void {
  if (!enabled)
    throw new Fault('not_built', 'this box does not command vehicles: the setting control.enabled is false');
}

/** Refuses approvals by an API key, because a plan needs the approval of a person. */
export function requirePerson({ isKey, actor }: Decider): void {
  if (isKey) throw forbidden(`key ${actor.name}: a plan needs the approval of a person, not of a key`);
}

/** Refuses callers who may not approve this plan, whatever the plan's state is. */
export function requireMay(by: Decider, plan: Plan, least: Role, control: ControlSettings, ask: PlanApproval): void {
  requireRole(by.role, least, plan);
  if (by.actor.type !== 'open') return;
  const { openSurface } = control;
  const moves = plan.legs.some(({ verb }) => verbs[verb].class !== 'observation');
  if (openSurface === 'deny' || (openSurface === 'observe_only' && moves))
    throw forbidden(`sign in to approve this plan: the setting control.open_surface is ${openSurface}`);
  for (const field of ['operator', 'reason'] as const)
    if (ask[field] === undefined) throw invalidInput(`'${field}' is needed to approve a plan without signing in`);
  if (plan.required_approvals > 1) throw unsigned();
}

function unsigned(): Fault {
  return conflict('this plan needs the approval of two people: sign in, so that the two can be distinguished');
}

/**
 * Checks the person's role again when the approval is written. The role of the request was read before the request's
 * body arrived, and may have changed.
 */
export function requireMember(
  { actor, userId }: Decider,
  roleOf: EngagementDeps['roleOf'],
  least: Role,
  plan: Plan,
): void {
  if (userId === null) return;
  const role = roleOf(userId);
  if (role === null) throw forbidden(`${actor.name} was removed from the workspace`);
  requireRole(role, least, plan);
}

function requireRole(role: Role, least: Role, { response }: Plan): void {
  if (isAtLeast(role, least)) return;
  throw forbidden(
    `to release the response '${response}' the doctrine requires the role ${least}, and your role is ${role}`,
  );
}

/** Requires that the approvals of a two-person plan come from different people, neither of whom requested the plan. */
export function requireAnother({ userId }: Decider, { approvals, proposed_by }: Engagement, plan: Plan): void {
  if (plan.required_approvals < 2) return;
  if (userId === null) throw unsigned();
  if (proposed_by?.user_id === userId)
    throw conflict('this plan needs two people other than its requester, and you requested it');
  if (approvals.some((approval) => approval.decision === 'approved' && approval.user_id === userId))
    throw conflict('you approved this plan already: another person must give the second approval');
}
