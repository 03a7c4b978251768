import type { Affiliation } from '../model/assignment.ts';
import type { Engagement, EngagementState, Plan } from '../model/engagement.ts';
import type { ThreatLevel } from '../model/posture.ts';
import type { MatrixRow } from './deps.ts';

/** Facts on which an engagement was proposed. Where one differs now, the approval was given for another situation. */
type Basis = {
  affiliation: Affiliation;
  level: ThreatLevel;
  doctrineVersion: number;
  row: MatrixRow;
  /** A person asked for the engagement and is reading it, so it stays unchanged. */
  byPerson: boolean;
  /** The track as people call it. */
  label: string;
  /** When each of its plans expires, in milliseconds of the world: the wall clock may be set. */
  deadlines: ReadonlyMap<string, number>;
};

/** A held engagement. Its document is never modified, since other parts hold it too. */
export type Held = { engagement: Engagement; readonly basis: Basis };

const running: ReadonlySet<EngagementState> = new Set(['proposed', 'pending_approval', 'approved', 'executing']);
export function isOpen({ state }: Pick<Engagement, 'state'>): boolean {
  return running.has(state);
}

/** True while approvals are missing: the engagement then expires by itself. */
export function isAsked({ state }: Pick<Engagement, 'state'>): boolean {
  return state === 'proposed' || state === 'pending_approval';
}

/** True for an engagement that was begun without a person. */
export function runsByItself({ state, approvals }: Engagement): boolean {
  return (state === 'approved' || state === 'executing') && approvals.length === 0;
}

export function deadlineOf({ basis }: Held, planId: string): number {
  return basis.deadlines.get(planId) ?? Number.NEGATIVE_INFINITY;
}

export function planOf({ engagement }: Held, planId: string | null): Plan | undefined {
  return engagement.candidates.find(({ id }) => id === planId);
}
