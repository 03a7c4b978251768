import { z } from 'zod';
import { count, namedObject, timestamp, uuid, words } from './scalar.ts';
import { alertSeverities } from './zone.ts';

export const alertStates = ['active', 'acknowledged', 'cleared'] as const;
export const alertSubjects = ['track', 'group', 'zone', 'sensor', 'asset', 'site'] as const;

/** Reasons why an alert was cleared. */
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

/** Limit of the steps stored with an alert. The first step and the latest steps are kept. */
export const MOST_STEPS = 50;

/**
 * Step of an alert. One is added for each rule and zone, and again when its event becomes more severe. Another is added
 * each time that the alert becomes worse and sounds again.
 */
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
 * Alert about one track, group, zone, sensor, asset or part of the box. Each rule that applies to this subject adds a
 * step. The alert sounds again, and loses its acknowledgement, only when its severity or its number of aircraft rises.
 */
export const alertSchema = namedObject('Alert', {
  id: uuid,
  rule_id: z
    .string()
    .describe('rule of the most severe event that continues; of a cleared alert, of the most severe event'),
  rule_version: z.int(),
  severity: z.enum(alertSeverities).describe('severity of that rule'),
  state: z.enum(alertStates).describe('cleared: the alert has ended; cleared_reason has the reason'),
  subject: z.strictObject({ type: z.enum(alertSubjects), id: z.string(), label: z.string() }),
  text: z.string().describe('sentence for the operator'),
  steps: z
    .array(alertStepSchema)
    .max(MOST_STEPS)
    .describe('first event, then each new rule, higher severity or greater number of aircraft, oldest first'),
  track_ids: z.array(uuid).max(50).describe('tracks of the alert, those of its most severe event first'),
  zone_id: uuid.nullable(),
  count: count.describe('number of aircraft that are or were part of the alert'),
  raised_at: timestamp,
  updated_at: timestamp,
  escalated_at: timestamp.nullable().describe('time of the last increase of severity or of the number of aircraft'),
  acknowledged: acknowledgementSchema
    .nullable()
    .describe('null again after an increase of severity or of the number of aircraft'),
  cleared_at: timestamp.nullable(),
  cleared_reason: z
    .enum(clearedReasons)
    .nullable()
    .describe('null while the alert is active, and if a more severe alert displaced it from a full list'),
  settled_at: timestamp
    .nullable()
    .describe('time at which the alert left the picture; null while it is in the picture'),
});
export type Alert = z.infer<typeof alertSchema>;

/**
 * Converts an alert of an earlier version, which was about a single event, to today's form. Returns any other value
 * unchanged.
 */
export function presentAlert(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || 'steps' in row) return row;
  const { raised_at: at, rule_id, zone_id, severity, text, cleared_reason } = row as Record<string, unknown>;
  const reason = clearedReasons.find((one) => one === cleared_reason) ?? null;
  return { ...row, steps: [{ at, rule_id, zone_id, severity, text }], cleared_reason: reason };
}

export const acknowledgeSchema = namedObject('Acknowledgement', { note: words(500).nullable().optional() });

/** Kinds of stream events whose body is an alert. */
export type AlertKind = 'alert' | 'alert_update' | 'live_alert';

/** Rank of a severity; a greater rank is more severe. */
export function severityRank(severity: Alert['severity']): number {
  return alertSeverities.indexOf(severity);
}
