import { z } from 'zod';
import { linkSchema } from './link.ts';
import { pictureSchema, simStateSchema } from './picture.ts';
import { count, timestamp, uuid } from './scalar.ts';
import { sensorSchema } from './sensor.ts';
import { trackSchema, trackStates } from './track.ts';

export const severities = ['debug', 'info', 'notice', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** A row of the event log (contract section 14) as far as it has no hash chain. */
export const logEventSchema = z
  .strictObject({
    id: uuid,
    seq: count,
    at: timestamp,
    kind: z.string().describe('dotted, for example track.new or link.down'),
    severity: z.enum(severities),
    subject: z.strictObject({ type: z.string(), id: z.string(), label: z.string() }).nullable(),
    text: z.string(),
  })
  .meta({ id: 'LogEvent' });
export type LogEvent = z.infer<typeof logEventSchema>;

/**
 * The body of each kind of stream event. A kind that is not listed here is never sent.
 * `track_update` carries the changed top-level fields of a track and its `id`.
 */
export const eventBodies = {
  snapshot: pictureSchema,
  resume: z.strictObject({ from: z.string().describe('<epoch>:<seq> the events that follow continue from') }),
  track_new: trackSchema,
  track_update: trackSchema.partial().required({ id: true }),
  track_state: z.strictObject({ id: uuid, state: z.enum(trackStates), was: z.enum(trackStates) }),
  track_removed: z.strictObject({
    id: uuid,
    reason: z.enum(['closed', 'merged', 'dropped']),
    into: uuid.optional(),
  }),
  sensor_update: sensorSchema,
  sensor_removed: z.strictObject({ id: uuid }),
  link_update: linkSchema,
  link_removed: z.strictObject({ id: uuid }),
  sim_state: simStateSchema,
  log: logEventSchema,
} as const;
export type EventKind = keyof typeof eventBodies;
export type EventBody<K extends EventKind> = z.infer<(typeof eventBodies)[K]>;

/** What stands in the `data:` line of an event. */
export function eventDataSchema<K extends EventKind>(kind: K) {
  return z.strictObject({ seq: count, at: timestamp, body: eventBodies[kind] });
}
