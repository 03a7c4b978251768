import type { Engagement } from '../model/engagement.ts';
import { lapseApprovals } from './approvals.ts';
import { deedOf } from './deeds.ts';
import { deadlineOf, type Held, isAsked } from './held.ts';
import type { Shared } from './shared.ts';

/**
 * Ends overdue engagements. A proposal that is not approved in time expires; an approved engagement whose orders are
 * not sent in time fails.
 */
export function expire({ deps, log, launcher }: Shared): void {
  const nowMs = deps.nowMs();
  for (const held of log.allHeld()) {
    const { engagement, basis } = held;
    const { chosen_plan_id: chosen, candidates } = engagement;
    const plans = chosen === null ? candidates.map(({ id }) => id) : [chosen];
    if (!plans.every((id) => nowMs >= deadlineOf(held, id))) continue;
    if (engagement.state === 'approved') launcher.giveUp(held);
    if (!isAsked(engagement)) continue;
    const reason =
      engagement.approvals.length > 0 ? 'no second person approved the plan in time' : 'nobody answered in time';
    const content = {
      kind: 'plan.expired' as const,
      text: `the proposal about ${basis.label} expired: ${reason}`,
      reason,
    };
    const deed = deedOf(held, deps.workspaceId, { ...content, after: { state: 'expired' } });
    log.follow('The engagement', [{ held, to: { state: 'expired', reason } }], [deed]);
  }
}

/** Withdraws proposals that no longer match the situation. */
export function withdraw(shared: Shared): void {
  const { deps, log, fallen } = shared;
  for (const held of log.allHeld()) {
    const { engagement, basis } = held;
    if (!isAsked(engagement)) continue;
    const level = deps.threat(engagement.track_id)?.level;
    if (level !== undefined) fallen.note(engagement.id, basis.level, level, deps.nowMs());
    lapseApprovals(shared, held);
    const isGone = !deps.track(engagement.track_id);
    const why = isGone ? `the track ${basis.label} has ended` : whyWithdrawn(shared, held);
    if (why === null) continue;
    const change = isGone ? { held, to: { state: 'cancelled' as const, reason: why } } : superseded(held, why);
    const kind = isGone ? ('plan.cancelled' as const) : ('plan.superseded' as const);
    const content = { kind, text: `the proposal about ${basis.label} is withdrawn: ${why}`, reason: why };
    // A proposal without approvals is withdrawn without an audit row, unless its track has ended.
    const deeds = isGone || engagement.approvals.length > 0 ? [deedOf(held, deps.workspaceId, content)] : [];
    log.follow('The engagement', [change], deeds);
  }
  fallen.keep((id) => log.get(id)?.state === 'proposed');
}

function whyWithdrawn({ deps, known, fallen }: Shared, { engagement, basis }: Held): string | null {
  const track = deps.track(engagement.track_id);
  const { label } = basis;
  if (!track || track.state === 'closed') return `the track ${label} is closed`;
  if (track.affiliation !== basis.affiliation) return `the affiliation of ${label} is ${track.affiliation} now`;
  const planned = engagement.candidates[0]?.policy_version;
  if (planned !== undefined && planned !== deps.policy().version) return 'the decision config has changed';
  if (basis.doctrineVersion !== deps.doctrine().version) return 'the doctrine has changed';
  // A lower or dismissed threat does not withdraw a proposal that has an approval, or that a person requested.
  if (engagement.state !== 'proposed' || basis.byPerson) return null;
  const threat = deps.threat(track.id);
  if (threat?.dismissed) return `the threat of ${label} was dismissed`;
  if (known.rowOf(track) !== null) return null;
  const isKept = threat !== undefined && fallen.isRecent(engagement.id, deps.nowMs());
  return isKept ? null : `the doctrine has no response to ${label} any more`;
}

export function superseded(held: Held, reason: string): { held: Held; to: Partial<Engagement> } {
  return { held, to: { state: 'superseded', reason } };
}
