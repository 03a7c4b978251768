import { z } from 'zod';
import { count, namedObject, timestamp } from './scalar.ts';
import { alertSeverities } from './zone.ts';

/** Past period over which a rule is tried. */
export const dryRunBodySchema = namedObject('RuleDryRunBody', {
  since: timestamp,
  until: timestamp.describe('end of the period, exclusive; at most 24 h after since'),
});

/** Result of a trial: the firings that the rule would have caused in the period. */
export const dryRunSchema = z
  .strictObject({
    rule_id: z.string(),
    since: timestamp,
    until: timestamp,
    fired: count.describe('events that the rule would have raised'),
    suppressed: count.describe('events that the cool-down would have suppressed'),
    firings: z
      .array(
        z.strictObject({
          at: timestamp,
          change: z.enum(['raised', 'worse', 'changed', 'ended']),
          severity: z.enum(alertSeverities),
          subject: z.strictObject({ type: z.string(), id: z.string(), label: z.string() }),
          text: z.string(),
          track_ids: z.array(z.string()),
          zone_id: z.string().nullable(),
          count,
        }),
      )
      .describe('first thousand events'),
  })
  .meta({
    id: 'RuleDryRun',
    description: 'Events that a rule would have raised over recorded history; nothing is sent',
  });
export type RuleDryRun = z.infer<typeof dryRunSchema>;
