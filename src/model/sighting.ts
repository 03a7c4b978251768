import { z } from 'zod';
import { threatLevels } from './posture.ts';
import { count, timestamp, uuid } from './scalar.ts';
import { trackPointSchema, trackSchema } from './track.ts';
import { zoneKinds } from './zone.ts';

/** Limit of the zones listed in one sighting. Entries into further zones are only in the log. */
export const mostZonesEntered = 50;

const track = trackSchema.shape;

/** Zone that a track entered, with its first entry and its last exit. */
export const zoneEnteredSchema = z.strictObject({
  zone_id: uuid,
  name: z.string().nullable().describe('name at that time; null in rows of earlier versions'),
  kind: z.enum(zoneKinds).nullable(),
  entered_at: timestamp.describe('time of the first entry'),
  left_at: timestamp.nullable().describe('time of the last exit; null while inside, and for a track that ended inside'),
  entries: count,
});

/** Row of the list of sightings: one track, ended or not. */
export const sightingSchema = z
  .strictObject({
    track_id: uuid,
    number: track.number,
    state: track.state,
    provenance: track.provenance,
    affiliation: track.affiliation,
    affiliation_basis: track.affiliation_basis,
    cooperative: track.cooperative,
    integrity_verdict: track.integrity.shape.verdict,
    identities: track.identities,
    classification: track.classification,
    operator: track.operator.describe('last reported pilot; null if not reported, or not visible to the caller'),
    takeoff: track.takeoff,
    first_seen_at: timestamp,
    last_seen_at: timestamp,
    highest_level: z.enum(threatLevels),
    nearest: z
      .strictObject({
        kind: z.enum(['zone', 'asset']),
        id: uuid,
        name: z.string(),
        distance_m: z.number().min(0).describe('ground distance to the edge, m; 0 inside'),
        inside: z.boolean(),
        at: timestamp,
      })
      .nullable()
      .describe('nearest approach to a protected asset or zone; null without one, and in rows of earlier versions'),
    zones: z.array(zoneEnteredSchema).max(mostZonesEntered).describe('entered zones, in order'),
    evidence: z.string().describe('path of the evidence below `/api` or `/v1`'),
  })
  .meta({ id: 'Sighting', description: 'Summary of a past or present track' });
export type Sighting = z.infer<typeof sightingSchema>;

/** Point of a trail: only time, state, position and altitudes of a track point. */
export const trailPointSchema = trackPointSchema
  .pick({ at: true, state: true, lat: true, lon: true, alt_hae_m: true, alt_msl_m: true, alt_agl_m: true })
  .meta({ id: 'TrailPoint' });
export type TrailPoint = z.infer<typeof trailPointSchema>;

/** Trails of the tracks in a period; `cut` names tracks that are left out. */
export const trailsSchema = z
  .strictObject({
    since: timestamp,
    until: timestamp,
    step_s: z.number().positive().describe('time between points of a trail, s'),
    thinned: z.boolean().describe('true if step_s is longer than requested, to limit the points'),
    cut: z.string().nullable().describe('sentence that names the omitted part; null for a complete answer'),
    tracks: z.array(z.strictObject({ track_id: uuid, number: track.number, points: z.array(trailPointSchema) })),
  })
  .meta({ id: 'Trails' });
export type Trails = z.infer<typeof trailsSchema>;

/** Parts of a sighting that the track document does not contain. Times are UTC, ms. */
export type SightingSummary = {
  /** Highest threat level that the track reached, as an index of `threatLevels`. */
  level: number;
  nearest: { kind: 'zone' | 'asset'; id: string; name: string; distance_m: number; at_ms: number } | null;
  zones: {
    zone_id: string;
    name: string | null;
    kind: (typeof zoneKinds)[number] | null;
    entered_ms: number;
    left_ms: number | null;
    entries: number;
  }[];
};
