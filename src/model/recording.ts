import { z } from 'zod';
import { protocols } from './link.ts';
import { count, name, namedObject, timestamp, uuid, wholeBetween } from './scalar.ts';

/** States of a recording. `interrupted`: the service ended during the recording; the data written before is kept. */
export const recordingStates = ['recording', 'stopped', 'interrupted', 'failed'] as const;

const maxS = wholeBetween(10, 31_622_400).describe('greatest age, s; older data is deleted');
const maxBytes = wholeBetween(1_048_576, 1e15).describe('greatest size, bytes; the oldest part is deleted first');

/** Request to start a recording. */
export const recordingSpecSchema = namedObject('RecordingSpec', {
  name: name.optional().describe('name; default is the start time'),
  max_s: maxS.optional().describe('greatest age, s; older data is deleted; default from the configuration'),
  max_bytes: maxBytes
    .optional()
    .describe('greatest size, bytes; the oldest part is deleted first; default from the configuration'),
});
export type RecordingSpec = z.infer<typeof recordingSpecSchema>;

export const recordingSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    state: z.enum(recordingStates),
    reason: z.string().nullable().describe('why the recording ended; null while it runs, and if a person stopped it'),
    started_at: timestamp,
    started_by: z.string(),
    ended_at: timestamp.nullable(),
    from_at: timestamp.nullable().describe('begin of the kept data; older parts were deleted'),
    to_at: timestamp.nullable(),
    bytes: count,
    segments: count,
    gaps: count.describe('number of gaps because the disk was too slow'),
    dropped_records: count.describe('received records that were not kept'),
    dropped_bytes: count,
    max_s: maxS,
    max_bytes: maxBytes,
    links: z.array(z.strictObject({ id: uuid, name: z.string(), protocol: z.enum(protocols) })),
  })
  .meta({ id: 'Recording', description: 'All input of the live world over a period, as received' });
export type Recording = z.infer<typeof recordingSchema>;
