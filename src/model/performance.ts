import { z } from 'zod';

const speed = z.number().min(0).max(2_000);
const rate = z.number().min(0).max(1_000);
const reach = z.number().min(0).max(10_000_000);
const height = z.number().min(0).max(100_000);
const mass = z.number().min(0).max(1_000_000);

/** Performance of a platform. Absent figures are unknown, or inherited from the model. */
export const performanceSchema = z
  .strictObject({
    cruise_speed_mps: speed,
    max_speed_mps: speed,
    min_speed_mps: speed,
    climb_rate_mps: rate,
    descent_rate_mps: rate,
    turn_rate_dps: rate,
    endurance_s: z.number().min(0).max(31_536_000),
    reserve_pct: z.number().min(0).max(100),
    max_range_m: reach,
    link_range_m: reach,
    ceiling_agl_m: height,
    ceiling_msl_m: height,
    max_wind_mps: z.number().min(0).max(100),
    launch_time_s: z.number().min(0).max(86_400),
    mass_kg: mass,
    max_payload_kg: mass,
    dimensions_m: z
      .array(z.number().min(0).max(1_000))
      .length(3)
      .optional()
      .describe('length, width, height, ready to go'),
  })
  .partial()
  .meta({ id: 'PlatformPerformance' });
export type PlatformPerformance = z.infer<typeof performanceSchema>;
