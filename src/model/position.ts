import { z } from 'zod';
import { altAglM, altHaeM, altMslM, heightTakeoffM, lat, lon } from './scalar.ts';

/** Where something flies: heights only as far as somebody says them, each above what its name says. */
export const positionSchema = z.strictObject({
  lat,
  lon,
  alt_hae_m: altHaeM.nullable(),
  alt_msl_m: altMslM.nullable(),
  alt_agl_m: altAglM.nullable(),
  height_takeoff_m: heightTakeoffM.nullable(),
});
