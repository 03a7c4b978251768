import { z } from 'zod';

const speed = z.number().min(0).max(2_000);
const rate = z.number().min(0).max(1_000);
const reach = z.number().min(0).max(10_000_000);
const height = z.number().min(0).max(100_000);
const mass = z.number().min(0).max(1_000_000);

/** What a platform can do. What is absent is not known, or inherited from the model. */
export const performanceSchema = z
  .strictObject({
    cruise_speed_mps: speed.optional(),
    max_speed_mps: speed.optional(),
    min_speed_mps: speed.optional(),
    climb_rate_mps: rate.optional(),
    descent_rate_mps: rate.optional(),
    turn_rate_dps: rate.optional(),
    endurance_s: z.number().min(0).max(31_536_000).optional(),
    reserve_pct: z.number().min(0).max(100).optional(),
    max_range_m: reach.optional(),
    link_range_m: reach.optional(),
    ceiling_agl_m: height.optional(),
    ceiling_msl_m: height.optional(),
    max_wind_mps: z.number().min(0).max(100).optional(),
    launch_time_s: z.number().min(0).max(86_400).optional(),
    mass_kg: mass.optional(),
    max_payload_kg: mass.optional(),
    dimensions_m: z
      .array(z.number().min(0).max(1_000))
      .length(3)
      .optional()
      .describe('length, width, height, ready to go'),
  })
  .meta({ id: 'PlatformPerformance' });
export type PlatformPerformance = z.infer<typeof performanceSchema>;
