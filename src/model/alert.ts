import { z } from 'zod';
import { count, namedObject, timestamp, uuid, words } from './scalar.ts';
import { alertSeverities } from './zone.ts';

export const alertStates = ['active', 'acknowledged', 'cleared'] as const;
export const alertSubjects = ['track', 'group', 'zone', 'sensor', 'asset', 'site'] as const;

/** Why an alert is over. */
export const clearedReasons = [
  'left',
  'friend',
  'lost',
  'dismissed',
  'recovered',
  'rule_changed',
  'zone_removed',
  'merged',
] as const;
export type ClearedReason = (typeof clearedReasons)[number];

/** Limit of the steps of an alert; the first and the latest are kept. */
export const MOST_STEPS = 50;

/** A rule that began to hold, or to hold more severely, about the subject of an alert. */
export const alertStepSchema = z
  .strictObject({
    at: timestamp,
    rule_id: z.string(),
    zone_id: uuid.nullable(),
    severity: z.enum(alertSeverities),
    text: z.string(),
  })
  .meta({ id: 'AlertStep' });
export type AlertStep = z.infer<typeof alertStepSchema>;

/** Mark that a person has seen an alert or a threat. */
export const acknowledgementSchema = z.strictObject({
  by: z.string(),
  at: timestamp,
  note: z.string().nullable(),
});

/**
 * An alert is about one track, or one group, sensor or part of the box. Rules that hold about it are its steps; it is raised
 * again only when it gets worse.
 */
export const alertSchema = namedObject('Alert', {
  id: uuid,
  rule_id: z.string().describe('the rule of the worst that holds now; of a cleared alert, the worst that held'),
  rule_version: z.int(),
  severity: z.enum(alertSeverities).describe('of that rule'),
  state: z.enum(alertStates).describe('cleared: it is over'),
  subject: z.strictObject({ type: z.enum(alertSubjects), id: z.string(), label: z.string() }),
  text: z.string().describe('a sentence for the one who has to act'),
  steps: z.array(alertStepSchema).max(MOST_STEPS).describe('how it came to this, the oldest first'),
  track_ids: z.array(uuid).max(50).describe('those in it, the longest first'),
  zone_id: uuid.nullable(),
  count: count.describe('how many aircraft are or were in it'),
  raised_at: timestamp,
  updated_at: timestamp,
  escalated_at: timestamp.nullable().describe('when it got worse last'),
  acknowledged: acknowledgementSchema.nullable().describe('null again once it gets worse'),
  cleared_at: timestamp.nullable(),
  cleared_reason: z
    .enum(clearedReasons)
    .nullable()
    .describe('null while it is not over, and where it only made room for alerts that matter more'),
  settled_at: timestamp
    .nullable()
    .describe('nobody has to look at it any more: it left the picture, and this change of it is the last'),
});
export type Alert = z.infer<typeof alertSchema>;

/** An alert of an earlier version, which was about one event, in its present form; any other value as it is. */
export function presentAlert(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || 'steps' in row) return row;
  const { raised_at: at, rule_id, zone_id, severity, text, cleared_reason } = row as Record<string, unknown>;
  const reason = clearedReasons.find((one) => one === cleared_reason) ?? null;
  return { ...row, steps: [{ at, rule_id, zone_id, severity, text }], cleared_reason: reason };
}

export const acknowledgeSchema = namedObject('Acknowledgement', { note: words(500).nullable().optional() });

/** Kinds of events that carry an alert. */
export type AlertKind = 'alert' | 'alert_update' | 'live_alert';

/** Greater is worse. */
export function severityRank(severity: Alert['severity']): number {
  return alertSeverities.indexOf(severity);
}
