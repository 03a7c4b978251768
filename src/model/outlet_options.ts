import { z } from 'zod';
import { between } from './scalar.ts';
import { alertSeverities } from './zone.ts';

/** Options of an outlet of Cursor on Target. */
export const cotOptionsSchema = z.strictObject({
  stale_s: between(1, 86_400).default(30).describe('an event is stale so long after the track was last seen, s'),
  callsign: z.enum(['number', 'identity']).default('number').describe('identity: with the end of the serial'),
  delete: z.boolean().default(true).describe('true to delete ended tracks at the peer'),
  presence: z.boolean().default(true).describe('true to send the place of the box itself'),
  chat_least: z.enum(alertSeverities).nullable().default('critical').describe('least severity of a chat message'),
  format: z.enum(['xml']).default('xml'),
});
export type CotOptions = z.infer<typeof cotOptionsSchema>;
