import { z } from 'zod';
import { geometrySchema } from './geometry.ts';
import { between, isOnceEach, name, namedObject, patchOf, someOf, stored, uuid, wholeBetween } from './scalar.ts';
import { clockTime, timeZone } from './time_zone.ts';
import { affiliations, cooperatives } from './track.ts';

export const zoneKinds = ['protected', 'warning', 'alert', 'keep_out', 'keep_in', 'ignore'] as const;
/** Zone kinds that count in scores, the most important first. */
export const scoredZoneKinds = ['protected', 'alert', 'warning'] as const;
export type ScoredZoneKind = (typeof scoredZoneKinds)[number];
export const altitudeDatums = ['agl', 'msl', 'hae'] as const;
export const zoneTransitions = ['approach', 'enter', 'exit', 'dwell'] as const;
export const alertSeverities = ['info', 'notice', 'warning', 'critical'] as const;
export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const height = between(-1_000, 100_000);

const appliesTo = z
  .strictObject({
    affiliations: someOf(affiliations).default([]),
    cooperative: someOf(cooperatives).default([]),
  })
  .describe('tracks that the zone applies to: `affiliations`, and `cooperative`; an empty list means all');

const alarm = z.strictObject({
  on: someOf(zoneTransitions)
    .default(['enter'])
    .describe('transitions that raise an alert; an exit raises none and is in the stream and the log'),
  level: z.enum(alertSeverities).default('warning'),
  dwell_s: between(1, 86_400).default(30).describe('time inside the zone that counts as a dwell, s'),
  eta_s: between(1, 3_600).default(60).describe('predicted time until entry that counts as an approach, s'),
  hysteresis_m: between(0, 10_000).default(20).describe('distance outside the zone that counts as an exit, m'),
});

const schedule = z
  .strictObject({
    from: clockTime,
    to: clockTime.describe('end; earlier than from means the next day'),
    days: z
      .array(z.enum(weekDays))
      .min(1)
      .max(7)
      .refine(isOnceEach, 'contains a day twice')
      .describe('weekdays on which a period begins'),
    tz: timeZone,
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: "must differ from 'from': for a zone that is always active, leave out the schedule",
  });

const common = {
  name,
  kind: z.enum(zoneKinds),
  geometry: geometrySchema,
  floor_m: height.nullable().default(null).describe('null for no floor'),
  ceiling_m: height
    .nullable()
    .default(null)
    .describe('null for the open_ceiling_m of the decision config above ground'),
  datum: z.enum(altitudeDatums).default('agl').describe('reference of floor_m and ceiling_m'),
  priority: wholeBetween(0, 10).default(5),
  applies_to: appliesTo.prefault({}),
  alarm: alarm.prefault({}),
  schedule: schedule.nullable().default(null).describe('null: the zone is active at all times'),
  enabled: z.boolean().default(true),
};

/** Zone as a request contains it. */
export const zoneSpecSchema = namedObject('ZoneSpec', common);
export type ZoneSpec = z.infer<typeof zoneSpecSchema>;

/** Change of a zone. Absent fields stay unchanged; `applies_to`, `alarm` and `schedule` are replaced as a whole. */
export const zonePatchSchema = z
  .strictObject(patchOf(common))
  .meta({ id: 'ZonePatch', description: 'Absent fields stay unchanged' });
export type ZonePatch = z.infer<typeof zonePatchSchema>;

export const zoneSchema = z
  .strictObject({ id: uuid, ...common, ...stored })
  .meta({ id: 'Zone', description: 'Volume of airspace with a meaning: protected, warning, or keep-out' });
export type Zone = z.infer<typeof zoneSchema>;
