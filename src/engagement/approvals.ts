import { isAtLeast, type Role } from '../model/actor.ts';
import type { Engagement, Plan } from '../model/engagement.ts';
import { deedOf, deedText } from './deeds.ts';
import type { EngagementDeps } from './deps.ts';
import { type Held, planOf } from './held.ts';
import { releaseOf } from './offer.ts';
import type { Shared } from './shared.ts';

type Approval = Engagement['approvals'][number];
type Rules = Pick<EngagementDeps, 'roleOf' | 'doctrine'>;

/** Returns why a person's approval of a plan does not count now, as a sentence; null if it counts. */
function approvalAgainst(rules: Rules, engagement: Engagement, plan: Plan, approval: Approval): string | null {
  const { by, user_id: userId } = approval;
  const ofTwo = plan.required_approvals > 1;
  const why = (text: string): string => `the approval of ${by} does not count: ${text}`;
  if (userId === null) return ofTwo ? why('this plan needs two people who signed in') : null;
  if (ofTwo && engagement.proposed_by?.user_id === userId) return why('the same person requested the plan');
  const role = rules.roleOf(userId);
  if (role === null) return why('this user was removed from the workspace');
  const least = leastRole(rules, plan);
  return isAtLeast(role, least)
    ? null
    : why(`this user has the role ${role} now, and the plan needs the role ${least}`);
}

/**
 * Lowest role that may release a plan. The doctrine sets it; it is at least `operator`, because viewers may change
 * nothing.
 */
export function leastRole({ doctrine }: Pick<Rules, 'doctrine'>, plan: Plan): Role {
  const { role } = releaseOf(doctrine().body, plan.response);
  return isAtLeast(role, 'operator') ? role : 'operator';
}

/** Returns why an approval of the released plan no longer counts; null if all approvals count. */
export function approvalsAgainst(rules: Rules, { engagement }: Held, plan: Plan): string | null {
  for (const approval of engagement.approvals) {
    if (approval.decision !== 'approved') continue;
    const why = approvalAgainst(rules, engagement, plan, approval);
    if (why !== null) return why;
  }
  return null;
}

/**
 * While a plan waits for another approval, marks as lapsed the approvals that no longer count. If no approval remains,
 * the engagement becomes `proposed` again, and any of its plans may be approved.
 */
export function lapseApprovals({ deps, log }: Shared, held: Held): void {
  const { engagement, basis } = held;
  const plan = planOf(held, engagement.chosen_plan_id);
  if (engagement.state !== 'pending_approval' || !plan || approvalsAgainst(deps, held, plan) === null) return;
  const lapsed: string[] = [];
  const approvals = engagement.approvals.map((approval): Approval => {
    const counts = approval.decision === 'approved';
    const why = counts ? approvalAgainst(deps, engagement, plan, approval) : null;
    if (why === null) return approval;
    lapsed.push(why);
    return { ...approval, decision: 'lapsed', reason: why };
  });
  const isPending = approvals.some(({ decision }) => decision === 'approved');
  const state = isPending ? ('pending_approval' as const) : ('proposed' as const);
  const deeds = lapsed.map((why) => {
    const text = `an approval ${deedText(plan, basis.label)} lapsed: ${why}`;
    const content = { kind: 'plan.approval_lapsed', text, severity: 'warning', after: { state } } as const;
    return deedOf(held, deps.workspaceId, content, plan);
  });
  const to = { state, approvals, chosen_plan_id: isPending ? plan.id : null };
  log.follow('The approval', [{ held, to }], deeds);
}
