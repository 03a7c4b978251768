import { z } from 'zod';
import { altAglM, altHaeM, altMslM, heightTakeoffM, lat, lon } from './scalar.ts';

/** Position of an aircraft. Each height is above the reference that its name states, and null if not reported. */
export const positionSchema = z.strictObject({
  lat,
  lon,
  alt_hae_m: altHaeM.nullable(),
  alt_msl_m: altMslM.nullable(),
  alt_agl_m: altAglM.nullable(),
  height_takeoff_m: heightTakeoffM.nullable(),
});
