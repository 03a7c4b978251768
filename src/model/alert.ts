import { z } from 'zod';
import { count, namedObject, timestamp, uuid, words } from './scalar.ts';
import { alertSeverities } from './zone.ts';

export const alertStates = ['active', 'acknowledged', 'cleared'] as const;
export const alertSubjects = ['track', 'group', 'zone', 'sensor', 'asset', 'site'] as const;

/** Mark that a person has seen an alert or a threat. */
export const acknowledgementSchema = z.strictObject({
  by: z.string(),
  at: timestamp,
  note: z.string().nullable(),
});

/** An alert is about one event, from its beginning to its end; it is raised again only when that gets worse. */
export const alertSchema = namedObject('Alert', {
  id: uuid,
  rule_id: z.string(),
  rule_version: z.int(),
  severity: z.enum(alertSeverities),
  state: z.enum(alertStates).describe('cleared: it is over'),
  subject: z.strictObject({ type: z.enum(alertSubjects), id: z.string(), label: z.string() }),
  text: z.string().describe('a sentence for the one who has to act'),
  track_ids: z.array(uuid).max(50).describe('those in it, the longest first'),
  zone_id: uuid.nullable(),
  count: count.describe('how many aircraft are or were in it'),
  raised_at: timestamp,
  updated_at: timestamp,
  escalated_at: timestamp.nullable().describe('when it got worse last'),
  acknowledged: acknowledgementSchema.nullable().describe('null again once it gets worse'),
  cleared_at: timestamp.nullable(),
  cleared_reason: z.string().nullable().describe('a sentence, where it is not that the event ended'),
  settled_at: timestamp
    .nullable()
    .describe('nobody has to look at it any more: it left the picture, and this change of it is the last'),
});
export type Alert = z.infer<typeof alertSchema>;

export const acknowledgeSchema = namedObject('Acknowledgement', { note: words(500).nullable().optional() });

/** Kinds of events that carry an alert. */
export type AlertKind = 'alert' | 'alert_update' | 'live_alert';

/** Greater is worse. */
export function severityRank(severity: Alert['severity']): number {
  return alertSeverities.indexOf(severity);
}
