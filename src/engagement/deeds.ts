import { actorLabel, systemActor } from '../model/actor.ts';
import type { Engagement, Plan } from '../model/engagement.ts';
import type { Deed } from '../store/ledger.ts';
import type { Decider } from './deps.ts';
import type { Held } from './held.ts';

/** Returns the label of the decider for log and approval. It includes the operator name if the request has one. */
export function labelOf({ actor }: Decider, operator: string | undefined): string {
  const isNamed = operator === undefined || operator === actor.name;
  return isNamed ? actorLabel(actor) : `${actorLabel(actor)} (${operator})`;
}

type DeedContent = Pick<Deed, 'kind' | 'text'> & Partial<Pick<Deed, 'by' | 'reason' | 'after' | 'severity'>>;

/** Creates an audit row about an engagement. */
export function deedOf({ engagement, basis }: Held, workspaceId: string, content: DeedContent, plan?: Plan): Deed {
  const { id, state } = engagement;
  return {
    by: systemActor,
    ...content,
    workspaceId,
    subject: { type: 'engagement', id, label: basis.label },
    before: { state },
    reason: content.reason ?? null,
    correlationId: id,
    policyVersion: (plan ?? engagement.candidates[0])?.policy_version ?? null,
  };
}

/** Fields of a plan for the audit row, which shows later readers the approved content. */
export function planInLog({ id, hash, response, legs, required_approvals, expires_at }: Plan): object {
  return { plan_id: id, hash, response, legs, required_approvals, expires_at };
}

/** Describes a plan, for example `to investigate T-0042 with 2 vehicles`. */
export function deedText(plan: Plan, label: string): string {
  const what = plan.response === 'notify' ? `to notify others of ${label}` : `to ${verbOf(plan)} ${label}`;
  if (plan.legs.length === 0) return what;
  const vehicles = new Set(plan.legs.map(({ asset_id }) => asset_id)).size;
  return `${what} with ${vehicles === 1 ? 'one vehicle' : `${vehicles} vehicles`}`;
}

function verbOf({ response }: Plan): string {
  if (response === 'return') return 'call home own vehicles near';
  return response === 'escort' ? 'escort an asset past' : response;
}

export function restartDeed(rows: readonly Engagement[], workspaceId: string): Deed {
  return {
    kind: 'engagement.restarted',
    text: `the restart of the service ended ${rows.length === 1 ? 'one open engagement' : `${rows.length} open engagements`}`,
    by: systemActor,
    workspaceId,
    severity: 'notice',
    after: rows.slice(0, 100).map(({ id, track_id, state }) => ({ id, track_id, state })),
  };
}
