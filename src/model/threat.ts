import { z } from 'zod';
import { acknowledgementSchema } from './alert.ts';
import { threatLevels } from './posture.ts';
import { between, count, namedObject, notNegative, timestamp, uuid } from './scalar.ts';
import { scoredZoneKinds } from './zone.ts';

/** Factors of a score. Factors with equal points are listed in this order. */
export const threatFactors = [
  'inside',
  'approach',
  'proximity',
  'closest_approach',
  'closing',
  'low_altitude',
  'dwell',
  'loiter',
  'operator_near',
  'suspect_identity',
  'no_remote_id',
  'unidentified',
  'hostile',
  'neutral',
  'remote_id_friend',
  'crewed',
  'bird',
  'emergency',
  'swarm',
  'repeat_visitor',
  'friend',
  'existence',
  'tentative',
] as const;
export type ThreatFactorId = (typeof threatFactors)[number];

export const factorUnits = ['m', 's', 'mps', 'probability', 'count', 'points'] as const;
export type FactorUnit = (typeof factorUnits)[number];

export const threatTrends = ['rising', 'steady', 'falling'] as const;
export type ThreatTrend = (typeof threatTrends)[number];

export const threatFactorSchema = namedObject('ThreatFactor', {
  id: z.enum(threatFactors),
  value: z.number().nullable().describe('measured value in unit; null if unknown or unbounded'),
  unit: z.enum(factorUnits).nullable().describe('null for a yes/no factor, whose value is 1 or 0'),
  weight: z.number().describe('points at full strength'),
  contribution: z.number().describe('contribution to the score, points'),
  text: z.string().describe('sentence for the operator'),
});
export type ThreatFactor = z.infer<typeof threatFactorSchema>;

const seconds = notNegative;

/** Reasons why a dismissal ended without an action of a person. */
export const dismissalEnds = ['level_rose', 'expired'] as const;

const dismissalEndedSchema = namedObject('DismissalEnd', {
  at: timestamp,
  by: z.string().describe('person who dismissed the threat'),
  reason: z.enum(dismissalEnds),
  from_level: z.enum(threatLevels).describe('level at the dismissal'),
  to_level: z.enum(threatLevels).describe('level at its end'),
});
export type DismissalEnd = z.infer<typeof dismissalEndedSchema>;

/**
 * Threat (section 10 of the interface's contract). The score is the sum of the factors' contributions, limited to 0 to
 * 100.
 */
export const threatSchema = z
  .strictObject({
    track_id: uuid,
    score: between(0, 100),
    level: z.enum(threatLevels),
    trend: z.enum(threatTrends),
    factors: z.array(threatFactorSchema).describe('factors with points, the largest first'),
    nearest_zone: z
      .strictObject({
        id: uuid,
        kind: z.enum(scoredZoneKinds),
        distance_m: z.number().min(0).describe('ground distance to the edge, m; 0 inside'),
        inside: z.boolean(),
        depth_m: z.number().min(0).nullable().describe('ground distance to the edge from inside, m'),
        eta_s: seconds.nullable().describe('predicted seconds until entry; null if the predicted path does not enter'),
        eta_sigma_s: seconds.nullable(),
      })
      .nullable()
      .describe('nearest zone; of several zones around the track, the most important; null for none'),
    nearest_protected: z
      .strictObject({
        asset_id: uuid.nullable(),
        zone_id: uuid.nullable(),
        distance_m: z.number().min(0).describe('ground distance, m; 0 inside'),
        inside: z.boolean(),
      })
      .nullable()
      .describe('nearest protected zone or asset; warning and alert zones do not count'),
    cpa: z
      .strictObject({
        asset_id: uuid.nullable(),
        zone_id: uuid.nullable(),
        distance_m: z.number(),
        in_s: seconds,
      })
      .nullable()
      .describe('predicted closest approach to the protected place of the score'),
    group_id: uuid.nullable(),
    peak_score: between(0, 100),
    first_at: timestamp,
    acknowledged: acknowledgementSchema.nullable(),
    dismissed: z
      .strictObject({ by: z.string(), at: timestamp, reason: z.string(), until: timestamp.nullable() })
      .nullable(),
    dismissal_ended: dismissalEndedSchema
      .nullable()
      .describe('last dismissal that ended by itself, until a person acknowledges or dismisses the threat again'),
    policy_version: count,
  })
  .meta({ id: 'Threat', description: 'Score of a track, with its factors and predicted approach' });
export type Threat = z.infer<typeof threatSchema>;
