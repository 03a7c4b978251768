import { z } from 'zod';
import { clockTrusts } from './clock_trust.ts';
import { between, count, namedObject, timestamp, wholeBetween } from './scalar.ts';

const days = between(1, 3_650).describe('days of kept history, today included');
const bytes = wholeBetween(10_000_000, 1e15).describe('bytes of kept history');

export const retentionSpecSchema = namedObject('RetentionSpec', { days, bytes });
export type RetentionSpec = z.infer<typeof retentionSpecSchema>;

const clockSchema = z.strictObject({
  trust: z.enum(clockTrusts).describe("source of the box's time, which decides the trust in its clock"),
  prunes: z.boolean().describe('true while days are pruned by age'),
  reason: z.string().nullable().describe('sentence that says why days are not pruned; null while they are'),
  ran_s: count.describe('seconds of operation since the last clock step, over restarts; trusted after a week'),
});

/**
 * Limits and current size of the history. Dunlin deletes whole days, the oldest first, to keep both limits. Held days
 * stay, and days are deleted by age only while the clock is trusted.
 */
export const retentionSchema = namedObject('Retention', {
  days,
  bytes,
  used_bytes: count.describe('bytes of history at the last measurement'),
  held_bytes: count.describe('bytes of held days, which do not count against the limit'),
  clock: clockSchema,
  note: z
    .string()
    .nullable()
    .describe('sentence about held days that keep the history over its limits; null if there are none'),
  updated_at: timestamp.nullable().describe('null while the configuration sets the limits'),
  updated_by: z.string().nullable(),
});
export type Retention = z.infer<typeof retentionSchema>;
