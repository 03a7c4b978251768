import { z } from 'zod';

export const healthSchema = z
  .strictObject({
    healthy: z.boolean(),
    parts: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(['up', 'degraded', 'down']),
        needed: z.boolean().describe('the service as a whole is not healthy while this part is down'),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;
export type HealthPart = Health['parts'][number];
