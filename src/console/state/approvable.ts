import type { Engagement, Plan } from '../../model/engagement.ts';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';

/** Reasons why one plan cannot be approved, as keys of `words`. Reasons for all plans are in `Approver.forbidden`. */
export type Obstacle = 'twoPersonsSignIn' | 'youProposed' | 'youApproved' | 'planExpired' | 'trackGone' | 'trackLost';

/** Facts about the person and the screen that decide which plans can be approved now. */
export type Approver = {
  /** Sentence why nothing can be approved now; null where plans can. */
  forbidden: string | null;
  userId: string | null;
  isSignedIn: boolean;
  /** World time, ms. */
  nowMs: number;
  trackOf: (id: string) => Pick<Track, 'state'> | undefined;
  threatOf: (trackId: string) => Pick<Threat, 'level' | 'score'> | undefined;
  /** Sentence if a vehicle works for another engagement than `engagementId`; null where it does not. */
  busy: (assetId: string, engagementId: string) => string | null;
  say: (obstacle: Obstacle) => string;
};

/** Whether an engagement waits for a person. */
export const isWaiting = ({ state }: Engagement): boolean => state === 'proposed' || state === 'pending_approval';

/** Time until a plan expires, whole seconds of world time. */
export function leftS({ expires_at }: Plan, nowMs: number): number {
  return Math.max(0, Math.floor((Date.parse(expires_at) - nowMs) / 1_000));
}

function obstacleOf(engagement: Engagement, plan: Plan, approver: Approver): Obstacle | null {
  const { userId, isSignedIn, nowMs, trackOf } = approver;
  if (plan.required_approvals > 1 && !isSignedIn) return 'twoPersonsSignIn';
  if (userId !== null && engagement.proposed_by?.user_id === userId && plan.required_approvals > 1)
    return 'youProposed';
  if (userId !== null && engagement.approvals.some((one) => one.user_id === userId && one.decision === 'approved'))
    return 'youApproved';
  if (leftS(plan, nowMs) === 0) return 'planExpired';
  const track = trackOf(plan.track_id);
  if (!track) return 'trackGone';
  return track.state === 'lost' ? 'trackLost' : null;
}

/** Reason why a plan cannot be approved on this screen now, as a sentence; null where it can. */
function whyNotApproved(engagement: Engagement, plan: Plan, approver: Approver): string | null {
  if (approver.forbidden !== null) return approver.forbidden;
  const obstacle = obstacleOf(engagement, plan, approver);
  if (obstacle !== null) return approver.say(obstacle);
  for (const { asset_id } of plan.legs) {
    const sentence = approver.busy(asset_id, engagement.id);
    if (sentence !== null) return sentence;
  }
  return null;
}

const levels: readonly string[] = ['none', 'low', 'medium', 'high', 'critical'];

/** An engagement with its feasible plans in the daemon's order, so that plans do not change places under a finger. */
export type Choice = {
  engagement: Engagement;
  plans: readonly { plan: Plan; why: string | null; leftS: number }[];
  impossible: readonly Plan[];
  /** Whether this person can approve one of its plans now. */
  isOpen: boolean;
};

/**
 * Waiting engagements in the order of the list: first those that this person can approve, then others with a feasible
 * plan, then the rest. Within each of the three, the order is by level and score.
 */
export function rankChoices(engagements: readonly Engagement[], approver: Approver): Choice[] {
  const choices = engagements.filter(isWaiting).map((engagement): Choice => {
    const plans = engagement.candidates
      .filter(({ feasible }) => feasible)
      .map((plan) => ({ plan, why: whyNotApproved(engagement, plan, approver), leftS: leftS(plan, approver.nowMs) }));
    const impossible = engagement.candidates.filter(({ feasible }) => !feasible);
    return { engagement, plans, impossible, isOpen: plans.some(({ why }) => why === null) };
  });
  const threatOf = ({ engagement }: Choice) => approver.threatOf(engagement.track_id);
  const levelOf = (choice: Choice): number => levels.indexOf(threatOf(choice)?.level ?? 'none');
  return choices.sort(
    (a, b) =>
      Number(b.isOpen) - Number(a.isOpen) ||
      Number(b.plans.length > 0) - Number(a.plans.length > 0) ||
      levelOf(b) - levelOf(a) ||
      (threatOf(b)?.score ?? 0) - (threatOf(a)?.score ?? 0),
  );
}
