import { z } from 'zod';
import { clockTrusts } from './clock_trust.ts';
import { between, count, namedObject, timestamp, wholeBetween } from './scalar.ts';

const days = between(1, 3_650).describe('days of history that are kept, counting today');
const bytes = wholeBetween(10_000_000, 1e15).describe('bytes of history that are kept');

export const retentionSpecSchema = namedObject('RetentionSpec', { days, bytes });
export type RetentionSpec = z.infer<typeof retentionSpecSchema>;

const clockSchema = z.strictObject({
  trust: z.enum(clockTrusts).describe('who keeps the clock of the box right'),
  prunes: z.boolean().describe('whether days are pruned by it'),
  reason: z.string().nullable().describe('why not, as a sentence'),
  ran_s: count.describe('seconds of running since it stepped last, over restarts: a week is enough'),
});

/** Limits and present size of the history. Whole days are deleted, the oldest first, until both limits hold. */
export const retentionSchema = namedObject('Retention', {
  days,
  bytes,
  used_bytes: count.describe('of the history, when it was last measured'),
  held_bytes: count.describe('of these, days that are under hold: they do not count against the limit'),
  clock: clockSchema,
  note: z.string().nullable().describe('where what is under hold keeps the history over its limits'),
  updated_at: timestamp.nullable().describe('null while the configuration decides'),
  updated_by: z.string().nullable(),
});
export type Retention = z.infer<typeof retentionSchema>;
