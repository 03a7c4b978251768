import { z } from 'zod';
import { namedObject, timestamp, uuid, words } from './scalar.ts';

const reason = words(500);

/**
 * Protection of history from retention. It covers a track, a period, or a track within a period; a null bound means
 * unlimited.
 */
export const holdSchema = namedObject('Hold', {
  id: uuid,
  track_id: uuid.nullable().describe('null for all tracks of the period'),
  since: timestamp.nullable(),
  until: timestamp.nullable().describe('end of the period, exclusive'),
  reason: z.string(),
  created_at: timestamp,
  created_by: z.string(),
});
export type Hold = z.infer<typeof holdSchema>;

export const holdSpecSchema = z
  .strictObject({
    track_id: uuid.nullable().optional(),
    since: timestamp.nullable().optional(),
    until: timestamp.nullable().optional(),
    reason,
  })
  .meta({ id: 'HoldSpec', description: 'Hold of a track, a period, or both; at least one is required' });
export type HoldSpec = z.infer<typeof holdSpecSchema>;
