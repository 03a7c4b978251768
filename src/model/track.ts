import { z } from 'zod';
import {
  type Classification,
  classificationSchema,
  flightStatuses,
  identitySchema,
  operatorSchema,
  takeoffSchema,
} from './observation.ts';
import { positionSchema } from './position.ts';
import {
  altAglM,
  altHaeM,
  altMslM,
  count,
  courseDeg,
  heightTakeoffM,
  lat,
  lon,
  namedObject,
  notNegative,
  timestamp,
  unitInterval,
  uuid,
  wholeBetween,
} from './scalar.ts';

export const trackStates = ['tentative', 'confirmed', 'coasting', 'lost', 'closed'] as const;
export type TrackState = (typeof trackStates)[number];

export const affiliations = ['friend', 'hostile', 'neutral', 'unknown'] as const;
export const affiliationBases = ['telemetry', 'remote_id', 'assignment', 'none'] as const;
export const provenances = ['live', 'simulated', 'replayed'] as const;
export type Provenance = (typeof provenances)[number];
export const trackFlags = ['potential_false', 'id_duplicate', 'inconsistent_sources', 'emergency'] as const;
export type TrackFlag = (typeof trackFlags)[number];
export const cooperatives = ['both', 'coop_only', 'non_coop_only'] as const;
export const integrityReasons = [
  'position_disagrees',
  'speed_inconsistent',
  'jump',
  'serial_malformed',
  'clock_inconsistent',
  'duplicate_identity',
  'operator_far',
  'not_seen_by_sensor',
  'static_clone',
] as const;

export const receivedIdentitySchema = identitySchema.extend({ first_seen_at: timestamp, last_seen_at: timestamp });
export type ReceivedIdentity = z.infer<typeof receivedIdentitySchema>;

/** Affiliation that a person set for one track. It is valid until `expires_at` or the end of the track. */
export const setAffiliationSchema = z
  .strictObject({
    affiliation: z.enum(affiliations),
    reason: z.string(),
    by: z.string(),
    at: timestamp,
    expires_at: timestamp.nullable().describe('null for the life of the track'),
  })
  .meta({ id: 'SetAffiliation' });
export type SetAffiliation = z.infer<typeof setAffiliationSchema>;

/** Affiliation that another system states for a track. */
export const trackClaimSchema = z
  .strictObject({
    source: z.string().max(120).describe('name of the other system, such as TAK'),
    says: z.enum(affiliations),
    at: timestamp.describe('time since which the system states this'),
  })
  .meta({ id: 'TrackClaim' });
export type TrackClaim = z.infer<typeof trackClaimSchema>;

const objectRef = { node_id: z.string().max(36), object_id: z.string().max(26) };

/** Object of another fusion system from which a track was made. */
export const trackLineageSchema = z
  .strictObject({
    sensor_id: uuid.describe('sensor that represents the system in this box'),
    node_id: objectRef.node_id.describe('node id of the system'),
    object_id: objectRef.object_id.nullable().describe('number of the track in that system; null if it keeps none'),
    identity: z.string().max(120).nullable().describe('identity that the system states for the aircraft; a claim'),
    derived_from: z
      .array(z.strictObject(objectRef))
      .max(16)
      .describe('objects of other nodes from which the system made the track'),
    at: timestamp.describe('time since which the system states this'),
  })
  .meta({ id: 'TrackLineage' });

/**
 * Track (section 5 of the interface's contract). `position`, `velocity` and `uncertainty` are null if no position was
 * received.
 */
export const trackSchema = z
  .strictObject({
    id: uuid,
    number: z.string().regex(/^T-\d{4,}$/),
    state: z.enum(trackStates),
    affiliation: z.enum(affiliations),
    affiliation_basis: z.enum(affiliationBases),
    asset_id: uuid.nullable(),
    affiliation_set: setAffiliationSchema
      .nullish()
      .describe(
        'affiliation that a person set for this track; while the track is suspect, a duplicate or a clone, only a stricter one is in force',
      ),
    position: positionSchema.nullable(),
    velocity: z
      .strictObject({
        speed_mps: notNegative.nullable(),
        course_deg: courseDeg.nullable(),
        climb_mps: z.number().nullable(),
      })
      .nullable(),
    uncertainty: z
      .strictObject({
        h_m: notNegative,
        v_m: notNegative.nullable(),
        ellipse: z.strictObject({
          major_m: notNegative,
          minor_m: notNegative,
          orientation_deg: z.number().min(0).lt(180).describe('of the major axis, clockwise from true north'),
        }),
        sigma: z.literal(1),
      })
      .nullable(),
    identities: z.array(receivedIdentitySchema).describe('one row for each identity and transport'),
    classification: z.array(classificationSchema),
    cooperative: z.enum(cooperatives),
    operator: operatorSchema.nullable(),
    takeoff: takeoffSchema.nullable(),
    status: z.enum(flightStatuses).nullable(),
    integrity: z.strictObject({
      verdict: z.enum(['consistent', 'unchecked', 'suspect']),
      score: unitInterval,
      reasons: z.array(z.strictObject({ id: z.enum(integrityReasons), text: z.string() })),
    }),
    contributors: z.array(
      z.strictObject({ sensor_id: uuid, last_at: timestamp, hits: count, rssi_dbm: z.number().nullable() }),
    ),
    claims: z
      .array(trackClaimSchema)
      .describe('affiliations that other systems state; they are shown, and change no affiliation'),
    lineage: z
      .array(trackLineageSchema)
      .max(16)
      .describe('tracks of other fusion systems, such as boxes at other sites, that this track is made of'),
    flags: z.array(z.enum(trackFlags)),
    quality: wholeBetween(0, 15),
    provenance: z.enum(provenances),
    group_id: uuid.nullable(),
    predicted: z.array(
      z.strictObject({
        in_s: z.number().positive(),
        lat,
        lon,
        alt_hae_m: altHaeM.nullable(),
        radius_m: notNegative,
      }),
    ),
    first_seen_at: timestamp,
    last_seen_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Track', description: 'Estimated state of one aircraft or other moving object' });
export type Track = z.infer<typeof trackSchema>;

/** Track as stored. Rows of earlier versions have neither claims nor lineage. */
export const storedTrackSchema = trackSchema.extend({
  claims: trackSchema.shape.claims.default([]),
  lineage: trackSchema.shape.lineage.default([]),
});

/** Returns the type with the greatest confidence among a track's classifications; null without a classification. */
export function likeliestClass({ classification }: Pick<Track, 'classification'>): Classification['type'] | null {
  let best: Classification | null = null;
  for (const one of classification) if (best === null || one.confidence > best.confidence) best = one;
  return best?.type ?? null;
}

/** Point of a track's history. */
export const trackPointSchema = namedObject('TrackPoint', {
  at: timestamp,
  state: z.enum(trackStates),
  lat: lat.nullable(),
  lon: lon.nullable(),
  alt_hae_m: altHaeM.nullable(),
  alt_msl_m: altMslM.nullable().describe('null in rows of earlier versions'),
  alt_agl_m: altAglM.nullable().describe('null in rows of earlier versions'),
  height_takeoff_m: heightTakeoffM.nullable(),
  speed_mps: notNegative.nullable(),
  course_deg: courseDeg.nullable(),
  climb_mps: z.number().nullable(),
  h_m: notNegative.nullable(),
});
export type TrackPoint = z.infer<typeof trackPointSchema>;
