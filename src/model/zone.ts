import { z } from 'zod';
import { geometrySchema } from './geometry.ts';
import { name, timestamp, uuid } from './scalar.ts';
import { timeZone } from './time_zone.ts';

export const zoneKinds = ['protected', 'warning', 'alert', 'keep_out', 'keep_in', 'ignore'] as const;
export const altitudeDatums = ['agl', 'msl', 'hae'] as const;
export const zoneTransitions = ['approach', 'enter', 'exit', 'dwell'] as const;
export const alertSeverities = ['info', 'notice', 'warning', 'critical'] as const;
export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const affiliations = ['friend', 'hostile', 'neutral', 'unknown'] as const;
const cooperation = ['both', 'coop_only', 'non_coop_only'] as const;

const height = z.number().min(-1_000).max(100_000);
const onceEach = (values: readonly string[]): boolean => new Set(values).size === values.length;

const appliesTo = z
  .strictObject({
    affiliations: z
      .array(z.enum(affiliations))
      .max(affiliations.length)
      .refine(onceEach, 'names one twice')
      .default([]),
    cooperative: z.array(z.enum(cooperation)).max(cooperation.length).refine(onceEach, 'names one twice').default([]),
  })
  .describe('the tracks it is about; an empty list leaves nobody out');

const alarm = z.strictObject({
  on: z
    .array(z.enum(zoneTransitions))
    .max(zoneTransitions.length)
    .refine(onceEach, 'names one twice')
    .default(['enter'])
    .describe('of these a built-in rule raises an alert; of exit none does, it is on the stream and in the log'),
  level: z.enum(alertSeverities).default('warning'),
  dwell_s: z.number().min(1).max(86_400).default(30).describe('inside for so long is a dwell'),
  eta_s: z.number().min(1).max(3_600).default(60).describe('inside within so long, as it flies, is an approach'),
  hysteresis_m: z.number().min(0).max(10_000).default(20).describe('so far outside it has left'),
});

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, HH:MM');

const schedule = z
  .strictObject({
    from: clockTime,
    to: clockTime.describe('earlier than from: of the next day'),
    days: z
      .array(z.enum(weekDays))
      .min(1)
      .max(7)
      .refine(onceEach, 'names one day twice')
      .describe('on which it begins'),
    tz: timeZone,
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: 'must differ from from; without a schedule it always holds',
  });

const common = {
  name,
  kind: z.enum(zoneKinds),
  geometry: geometrySchema,
  floor_m: height.nullable().default(null).describe('null: down to the ground and below'),
  ceiling_m: height
    .nullable()
    .default(null)
    .describe('null: to the open_ceiling_m of the decision config above ground'),
  datum: z.enum(altitudeDatums).default('agl').describe('what floor_m and ceiling_m are above'),
  priority: z.int().min(0).max(10).default(5),
  applies_to: appliesTo.prefault({}),
  alarm: alarm.prefault({}),
  schedule: schedule.nullable().default(null).describe('null: it always holds'),
  enabled: z.boolean().default(true),
};

/** What an operator says of a zone. */
export const zoneSpecSchema = z.strictObject(common).meta({ id: 'ZoneSpec' });
export type ZoneSpec = z.infer<typeof zoneSpecSchema>;

/** Absent stays unchanged. `applies_to`, `alarm` and `schedule` are replaced whole. */
export const zonePatchSchema = z
  .strictObject({
    name: name.optional(),
    kind: z.enum(zoneKinds).optional(),
    geometry: geometrySchema.optional(),
    floor_m: height.nullable().optional(),
    ceiling_m: height.nullable().optional(),
    datum: z.enum(altitudeDatums).optional(),
    priority: z.int().min(0).max(10).optional(),
    applies_to: appliesTo.optional(),
    alarm: alarm.optional(),
    schedule: schedule.nullable().optional(),
    enabled: z.boolean().optional(),
    version: z.int().min(0).optional().describe('the version the caller has seen; another is a conflict'),
  })
  .meta({ id: 'ZonePatch', description: 'What is absent stays unchanged' });
export type ZonePatch = z.infer<typeof zonePatchSchema>;

export const zoneSchema = z
  .strictObject({ id: uuid, ...common, version: z.int(), created_at: timestamp, updated_at: timestamp })
  .meta({ id: 'Zone', description: 'A volume of airspace that means something: protected, warned of, kept out of' });
export type Zone = z.infer<typeof zoneSchema>;
