import { z } from 'zod';
import { alertSubjects } from './alert.ts';
import { decisionConfigBodySchema, decisionPolicySchema } from './decision_config.ts';
import { threatLevels } from './posture.ts';
import { between, count, namedObject, timestamp, uuid } from './scalar.ts';
import { alertSeverities } from './zone.ts';

/** A recording that is longer is not asked about: somebody waits for the answer. */
export const LONGEST_WHAT_IF_S = 7_200;
/** Limit for each list, the greatest differences first. */
export const MOST_DIFFERENCES = 1_000;

export const whatIfAskSchema = namedObject('WhatIfAsk', {
  config: decisionConfigBodySchema.describe('a whole decision config, as it would be saved'),
});

const reached = z
  .strictObject({ level: z.enum(threatLevels), score: between(0, 100), at: timestamp })
  .nullable()
  .describe('the greatest that it came to, and when first; null where it was no track then');

const alert = z.strictObject({
  rule_id: z.string(),
  severity: z.enum(alertSeverities).describe('the worst that it came to'),
  subject: z.strictObject({ type: z.enum(alertSubjects), id: z.string(), label: z.string() }),
  text: z.string(),
  raised_at: timestamp,
});
export type WhatIfAlert = z.infer<typeof alert>;

const alertList = z.array(alert).max(MOST_DIFFERENCES);

export const whatIfSchema = z
  .strictObject({
    recording_id: uuid,
    policy: z.strictObject({
      recorded: z.strictObject({ version: count, ...decisionPolicySchema.shape }).describe('that it began with'),
      asked: decisionPolicySchema,
    }),
    threats: z
      .array(z.strictObject({ track_id: uuid, number: z.string(), was: reached, is: reached }))
      .max(MOST_DIFFERENCES)
      .describe('where they differ'),
    alerts: z.strictObject({ only_recorded: alertList, only_asked: alertList, both: count }),
  })
  .meta({ id: 'WhatIf', description: 'What another decision config would have made of a recording' });
export type WhatIf = z.infer<typeof whatIfSchema>;
