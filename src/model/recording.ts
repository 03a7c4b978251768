import { z } from 'zod';
import { protocols } from './link.ts';
import { count, name, namedObject, timestamp, uuid, wholeBetween } from './scalar.ts';

/** States of a recording. `interrupted`: the service ended during it, and the part written until then is kept. */
export const recordingStates = ['recording', 'stopped', 'interrupted', 'failed'] as const;

const maxS = wholeBetween(10, 31_622_400).describe('what is older goes first');
const maxBytes = wholeBetween(1_048_576, 1e15).describe('when it is larger, the oldest part goes');

/** Request for a new recording. */
export const recordingSpecSchema = namedObject('RecordingSpec', {
  name: name.optional().describe('its time unless given'),
  max_s: maxS.optional().describe('what is older goes first; what the configuration says unless given'),
  max_bytes: maxBytes.optional().describe('the oldest part goes when it is larger; the configuration says else'),
});
export type RecordingSpec = z.infer<typeof recordingSpecSchema>;

export const recordingSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    state: z.enum(recordingStates),
    reason: z.string().nullable().describe('why it ended, where nobody asked for it'),
    started_at: timestamp,
    started_by: z.string(),
    ended_at: timestamp.nullable(),
    from_at: timestamp.nullable().describe('what is before has made room'),
    to_at: timestamp.nullable(),
    bytes: count,
    segments: count,
    gaps: count.describe('how often the disk was too slow for what was heard'),
    dropped_records: count.describe('what was heard and not kept'),
    dropped_bytes: count,
    max_s: maxS,
    max_bytes: maxBytes,
    links: z.array(z.strictObject({ id: uuid, name: z.string(), protocol: z.enum(protocols) })),
  })
  .meta({ id: 'Recording', description: 'Everything that entered the live world for a while, as it came' });
export type Recording = z.infer<typeof recordingSchema>;
