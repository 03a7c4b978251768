import { z } from 'zod';
import { alertSubjects } from './alert.ts';
import { decisionConfigBodySchema, decisionPolicySchema } from './decision_config.ts';
import { threatLevels } from './posture.ts';
import { between, count, namedObject, timestamp, uuid } from './scalar.ts';
import { alertSeverities } from './zone.ts';

/** Limit of the length of a recording for a what-if, s. The limit exists because the client waits for the answer. */
export const LONGEST_WHAT_IF_S = 7_200;
/** Limit of each list of differences; the greatest differences come first. */
export const MOST_DIFFERENCES = 1_000;

export const whatIfAskSchema = namedObject('WhatIfAsk', {
  config: decisionConfigBodySchema.describe('complete decision config, as for a save'),
});

const reached = z
  .strictObject({ level: z.enum(threatLevels), score: between(0, 100), at: timestamp })
  .nullable()
  .describe('highest score with its first time; null if the track did not exist');

const alert = z.strictObject({
  rule_id: z.string(),
  severity: z.enum(alertSeverities).describe('highest severity'),
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
      recorded: z
        .strictObject({ version: count, ...decisionPolicySchema.shape })
        .describe('decision config at the begin of the recording'),
      asked: decisionPolicySchema,
    }),
    threats: z
      .array(z.strictObject({ track_id: uuid, number: z.string(), was: reached, is: reached }))
      .max(MOST_DIFFERENCES)
      .describe('differing threats'),
    alerts: z.strictObject({ only_recorded: alertList, only_asked: alertList, both: count }),
  })
  .meta({ id: 'WhatIf', description: 'Threats and alerts of a recording under another decision config' });
export type WhatIf = z.infer<typeof whatIfSchema>;
