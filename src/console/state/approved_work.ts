import type { Engagement } from '../../model/engagement.ts';
import type { Task } from '../../model/task.ts';

/** Work of an own vehicle on a track, as a person approved. */
export type ApprovedWork = {
  assetId: string;
  trackId: string;
  verb: Task['verb'];
  phase: Task['phase'];
  /** Distance that the plan keeps from the track, m; null where the plan has none. */
  standoffM: number | null;
};

/** Whether a person approved an engagement; an automatic one has no approvals. */
const isApproved = ({ state, approvals }: Engagement): boolean =>
  (state === 'approved' || state === 'executing') && approvals.some(({ decision }) => decision === 'approved');

/**
 * The work of all plans in execution that a person approved. `taskOf` gives the newest report of a task.
 */
export function approvedWork(
  engagements: readonly Engagement[],
  taskOf: (id: string) => Task | undefined,
): ApprovedWork[] {
  return engagements.filter(isApproved).flatMap(({ tasks, candidates, chosen_plan_id: chosen, track_id: trackId }) => {
    const legs = candidates.find(({ id }) => id === chosen)?.legs ?? [];
    return tasks
      .map((task) => taskOf(task.id) ?? task)
      .filter(({ ended_at }) => ended_at === null)
      .map(({ asset_id: assetId, phase, verb }): ApprovedWork => {
        const params = legs.find((leg) => leg.asset_id === assetId && leg.verb === verb)?.params;
        const standoffM = params !== undefined && 'standoff_m' in params ? (params.standoff_m ?? null) : null;
        return { assetId, trackId, verb, phase, standoffM };
      });
  });
}
