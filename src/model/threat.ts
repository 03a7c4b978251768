import { z } from 'zod';
import { acknowledgementSchema } from './alert.ts';
import { threatLevels } from './posture.ts';
import { between, count, namedObject, notNegative, timestamp, uuid } from './scalar.ts';
import { scoredZoneKinds } from './zone.ts';

/** Every factor of a score, in the order in which factors of equal points are listed. */
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
  value: z.number().nullable().describe('what was measured, in unit; null where it is not known or has no end'),
  unit: z.enum(factorUnits).nullable().describe('null: it is so or it is not, 1 or 0'),
  weight: z.number().describe('points at full strength'),
  contribution: z.number().describe('points of the score'),
  text: z.string().describe('a sentence for the one who has to act'),
});
export type ThreatFactor = z.infer<typeof threatFactorSchema>;

const seconds = notNegative;

/** Contract section 10. The score is the sum of the contributions, held within 0 and 100. */
export const threatSchema = z
  .strictObject({
    track_id: uuid,
    score: between(0, 100),
    level: z.enum(threatLevels),
    trend: z.enum(threatTrends),
    factors: z.array(threatFactorSchema).describe('those that count, the weightiest first'),
    nearest_zone: z
      .strictObject({
        id: uuid,
        kind: z.enum(scoredZoneKinds),
        distance_m: z.number().min(0).describe('along the ground to its edge; 0 inside'),
        inside: z.boolean(),
        depth_m: z.number().min(0).nullable().describe('inside: along the ground to its edge'),
        eta_s: seconds.nullable().describe('null where it will not come in as it flies'),
        eta_sigma_s: seconds.nullable(),
      })
      .nullable()
      .describe('the zone that is nearest; of those that it is in, the one that counts most; null where there is none'),
    nearest_protected: z
      .strictObject({
        asset_id: uuid.nullable(),
        zone_id: uuid.nullable(),
        distance_m: z.number().min(0).describe('along the ground; 0 inside'),
        inside: z.boolean(),
      })
      .nullable()
      .describe('the protected zone or asset that is nearest; warning and alert zones are none'),
    cpa: z
      .strictObject({
        asset_id: uuid.nullable(),
        zone_id: uuid.nullable(),
        distance_m: z.number(),
        in_s: seconds,
      })
      .nullable()
      .describe('where it comes nearest, as it flies, to what the score is about'),
    group_id: uuid.nullable(),
    peak_score: between(0, 100),
    first_at: timestamp,
    acknowledged: acknowledgementSchema.nullable(),
    dismissed: z
      .strictObject({ by: z.string(), at: timestamp, reason: z.string(), until: timestamp.nullable() })
      .nullable(),
    policy_version: count,
  })
  .meta({ id: 'Threat', description: 'How much one track matters, why, and how soon' });
export type Threat = z.infer<typeof threatSchema>;
