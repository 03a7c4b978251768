import { z } from 'zod';
import { observationSchema } from './observation.ts';
import { timestamp, uuid } from './scalar.ts';

/** Reasons why a valid observation did not update a track. */
export const rejections = [
  'too_old',
  'ahead_of_time',
  'duplicate',
  'rate',
  'implausible',
  'id_conflict',
  'no_track',
] as const;
export type Rejection = (typeof rejections)[number];

/** Observation in the answer of `GET /api/detections`: normalised, with the core's decision about it. */
export const detectionSchema = observationSchema
  .omit({ source_at: true })
  .extend({
    id: uuid,
    link_id: uuid.nullable(),
    received_at: timestamp,
    source_at: timestamp.nullable(),
    track_id: uuid.nullable(),
    rejected_by: z.enum(rejections).nullable(),
  })
  .meta({ id: 'Detection', description: 'Normalised observation, with the track that it was associated with' });
export type Detection = z.infer<typeof detectionSchema>;
