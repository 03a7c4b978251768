import { z } from 'zod';

/** What every DELETE answers. */
export const deleted = {
  text: 'done',
  data: z.strictObject({ deleted: z.literal(true) }).meta({ id: 'Deleted' }),
  example: { deleted: true },
} as const;
