import { z } from 'zod';
import { between } from './scalar.ts';

const speed = between(0, 2_000);
const rate = between(0, 1_000);
const reach = between(0, 10_000_000);
const height = between(0, 100_000);
const mass = between(0, 1_000_000);

/** Performance of a platform. An absent value is unknown, or inherited from the model. */
export const performanceSchema = z
  .strictObject({
    cruise_speed_mps: speed,
    max_speed_mps: speed,
    min_speed_mps: speed,
    climb_rate_mps: rate,
    descent_rate_mps: rate,
    turn_rate_dps: rate,
    endurance_s: between(0, 31_536_000),
    reserve_pct: between(0, 100),
    max_range_m: reach,
    link_range_m: reach,
    ceiling_agl_m: height,
    ceiling_msl_m: height,
    max_wind_mps: between(0, 100),
    launch_time_s: between(0, 86_400),
    mass_kg: mass,
    max_payload_kg: mass,
    dimensions_m: z.array(between(0, 1_000)).length(3).optional().describe('length, width, height, ready for flight'),
  })
  .partial()
  .meta({ id: 'PlatformPerformance' });
export type PlatformPerformance = z.infer<typeof performanceSchema>;
