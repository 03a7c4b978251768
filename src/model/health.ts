import { z } from 'zod';
import { namedObject } from './scalar.ts';

export const healthSchema = namedObject('Health', {
  healthy: z.boolean(),
  parts: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['up', 'degraded', 'down']),
      needed: z.boolean().describe('true if the service is unhealthy while this part is down'),
      text: z.string(),
    }),
  ),
});
export type Health = z.infer<typeof healthSchema>;
/** Health of a world that runs outside the daemon, for example in the command-line simulator. */
export const noHealth: Health = { healthy: true, parts: [] };

export type HealthPart = Health['parts'][number];
