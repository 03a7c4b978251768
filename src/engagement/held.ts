import type { Affiliation } from '../model/assignment.ts';
import type { Engagement, EngagementState, Plan } from '../model/engagement.ts';
import type { ThreatLevel } from '../model/posture.ts';
import type { MatrixRow } from './deps.ts';

/** Situation in which an engagement was proposed. Later checks compare the present situation with it. */
type Basis = {
  affiliation: Affiliation;
  level: ThreatLevel;
  doctrineVersion: number;
  row: MatrixRow;
  /**
   * True if a person requested the engagement. The service then does not replace it by better plans, because the person
   * is reading it.
   */
  byPerson: boolean;
  /** Label of the track. */
  label: string;
  /** World time at which the engagement was proposed, ms. */
  proposedMs: number;
  /** World time at which each plan expires, by plan id, ms. Not the wall clock, which may be set. */
  deadlines: ReadonlyMap<string, number>;
};

/**
 * An engagement with its basis. `engagement` is replaced and never modified, because other parts keep references to it.
 */
export type Held = { engagement: Engagement; readonly basis: Basis };

const running: ReadonlySet<EngagementState> = new Set(['proposed', 'pending_approval', 'approved', 'executing']);
export function isOpen({ state }: Pick<Engagement, 'state'>): boolean {
  return running.has(state);
}

/** Returns true if the engagement waits for approvals. Such an engagement expires. */
export function isAsked({ state }: Pick<Engagement, 'state'>): boolean {
  return state === 'proposed' || state === 'pending_approval';
}

/** Returns true if the engagement is in progress and was begun without a person. */
export function runsByItself({ state, approvals }: Engagement): boolean {
  return (state === 'approved' || state === 'executing') && approvals.length === 0;
}

export function deadlineOf({ basis }: Held, planId: string): number {
  return basis.deadlines.get(planId) ?? Number.NEGATIVE_INFINITY;
}

export function planOf({ engagement }: Held, planId: string | null): Plan | undefined {
  return engagement.candidates.find(({ id }) => id === planId);
}
