import { z } from 'zod';
import { roles } from './actor.ts';
import { responses } from './doctrine.ts';
import { unavailableReasons } from './fleet.ts';
import { autonomies, postures } from './posture.ts';
import { between, count, namedObject, notNegative, textUpTo, timestamp, uuid, wholeBetween, words } from './scalar.ts';
import { taskSchema } from './task.ts';
import { provenances } from './track.ts';
import { commandParamsSchema, verbNames } from './verb.ts';

export const engagementStates = [
  'proposed',
  'pending_approval',
  'approved',
  'executing',
  'completed',
  'failed',
  'rejected',
  'cancelled',
  'expired',
  'superseded',
] as const;
export type EngagementState = (typeof engagementStates)[number];

const leg = z.strictObject({
  asset_id: uuid,
  verb: z.enum(verbNames),
  params: commandParamsSchema,
  eta_s: notNegative.nullable(),
  energy_after_pct: z.number().nullable().describe('energy left after the return, percent'),
  closest_m: notNegative.nullable().describe('smallest distance to the track on the way, m'),
});

/**
 * One possible response to one track. The hash covers every field except `id`, `hash` and `score`. An approval
 * therefore applies to exactly the plan that the person read.
 */
export const planSchema = namedObject('Plan', {
  id: uuid,
  hash: z.string(),
  track_id: uuid,
  response: z.enum(responses),
  legs: z.array(leg),
  score: between(0, 100),
  feasible: z.boolean(),
  infeasible_reasons: z.array(
    z.strictObject({ asset_id: uuid.nullable(), reason: z.enum(unavailableReasons), text: z.string() }),
  ),
  risks: z.array(z.string()),
  required_approvals: wholeBetween(0, 2),
  expires_at: timestamp,
  policy_version: count,
  provenance: z.enum(provenances).describe('provenance of the track and of every vehicle of the plan'),
});
export type Plan = z.infer<typeof planSchema>;
export type PlanLeg = Plan['legs'][number];

export const engagementSchema = z
  .strictObject({
    id: uuid,
    track_id: uuid,
    state: z.enum(engagementStates),
    candidates: z.array(planSchema),
    chosen_plan_id: uuid.nullable(),
    proposed_by: z
      .strictObject({ by: z.string(), user_id: z.string().nullable() })
      .nullable()
      .describe('person or rule (`rule:NAME`) that asked for plans; null for the service itself'),
    approvals: z.array(
      z.strictObject({
        by: z.string(),
        user_id: z.string().nullable(),
        role: z.enum(roles),
        at: timestamp,
        decision: z
          .enum(['approved', 'rejected', 'cancelled', 'lapsed'])
          .describe('lapsed: the approval no longer counts, because the user was removed or lost the role'),
        reason: z.string().nullable(),
      }),
    ),
    tasks: z
      .array(taskSchema)
      .describe('present tasks; engagement events repeat progress every 5 s, `task_update` every second'),
    reason: z.string().nullable().describe('reason of the outcome'),
    created_at: timestamp,
    updated_at: timestamp,
    provenance: z.enum(provenances).describe('provenance of the world of the track'),
  })
  .meta({ id: 'Engagement', description: 'Plans for a track, with the decisions of persons' });
export type Engagement = z.infer<typeof engagementSchema>;

export const engagementViewSchema = namedObject('EngagementView', {
  posture: z.enum(postures),
  autonomy: z.enum(autonomies).describe('autonomy of the decision config'),
  autonomy_effective: z.enum(autonomies).describe('autonomy in force: at most advise until a person confirms more'),
  revision: count.describe('changes with every change of this answer'),
  engagements: z.array(engagementSchema),
});
export type EngagementView = z.infer<typeof engagementViewSchema>;

const reason = words(500);

/** Approval of a plan. The plan starts when the required number of people have approved it. */
export const approveSchema = z
  .strictObject({
    track_id: uuid.optional().describe('exactly one of track_id and engagement_id'),
    engagement_id: uuid.optional().describe('exactly one of track_id and engagement_id'),
    plan_id: uuid,
    hash: textUpTo(120),
    seq: count.describe('`seq` of the picture that the person saw: of GET /picture or of the last event of the stream'),
    epoch: textUpTo(100).optional().describe('epoch of that picture; another epoch than the present one is refused'),
    reason: reason.optional(),
    operator: words(120).optional().describe('name of the person who approves, without a sign-in'),
  })
  .refine(({ track_id, engagement_id }) => (track_id === undefined) !== (engagement_id === undefined), {
    error: 'must have either track_id or engagement_id, and not both',
  })
  .meta({ id: 'PlanApproval' });
export type PlanApproval = z.infer<typeof approveSchema>;

/** Request for plans about a track, possible at every autonomy level. */
export const proposeSchema = namedObject('PlanRequest', { track_id: uuid, reason: reason.optional() });

export const decideSchema = namedObject('EngagementDecision', {
  reason: reason.optional(),
  operator: words(120).optional(),
});

export const confirmAutonomySchema = namedObject('AutonomyConfirmation', { confirm: z.enum(autonomies), reason });

export const autonomyViewSchema = engagementViewSchema
  .pick({ autonomy: true, autonomy_effective: true })
  .meta({ id: 'AutonomyView' });
export type AutonomyView = z.infer<typeof autonomyViewSchema>;

/** Result of `stop_all`. */
export const stopAllSchema = namedObject('StopAll', {
  engagements: count.describe('cancelled engagements'),
  tasks: count.describe('cancelled tasks'),
  platforms: z.array(
    z.strictObject({
      asset_id: uuid,
      held: z.boolean().describe('true if the vehicle got the command hold'),
      text: z.string().nullable().describe('reason why no hold was sent; null if it was sent'),
    }),
  ),
});
export type StopAll = z.infer<typeof stopAllSchema>;
