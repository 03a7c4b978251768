import { trackLabel } from '../../model/ids.ts';
import { threatLevels } from '../../model/posture.ts';
import {
  type Sighting,
  type SightingSummary,
  sightingSchema,
  type Trails,
  trailPointSchema,
} from '../../model/sighting.ts';
import { formatTime } from '../../model/time.ts';
import { storedTrackSchema, type Track } from '../../model/track.ts';
import type { RawRow, Scalar } from './packed.ts';

export function serialKey(serial: string): string {
  return `serial:${serial.trim().toUpperCase()}`;
}

export function zoneKey(zoneId: string): string {
  return `zone:${zoneId}`;
}

/**
 * Returns the keys by which a sighting is found: the serials that its track reported, and the zones that the track
 * entered.
 */
export function keysOf({ identities }: Pick<Track, 'identities'>, { zones }: SightingSummary): string[] {
  const serials = identities.filter(({ type }) => type === 'serial').map(({ value }) => serialKey(value));
  return [...new Set([...serials, ...zones.map(({ zone_id }) => zoneKey(zone_id))])];
}

/** Builds a sighting from a row of `document, level, summary`; null if the row cannot be parsed. */
export function unpackSighting(raw: RawRow): Sighting | null {
  const [, , document, level, text] = raw;
  const track = storedTrackSchema.safeParse(parseText(document)).data;
  const summary = summaryOf(level, text);
  if (!track || !summary) return null;
  const { id, number, state, provenance, affiliation, affiliation_basis, cooperative, identities } = track;
  const sighting = {
    ...{ track_id: id, number, state, provenance, affiliation, affiliation_basis, cooperative, identities },
    integrity_verdict: track.integrity.verdict,
    classification: track.classification,
    operator: track.operator,
    takeoff: track.takeoff,
    first_seen_at: track.first_seen_at,
    last_seen_at: track.last_seen_at,
    highest_level: threatLevels[summary.level] ?? 'none',
    nearest: nearestOf(summary),
    zones: summary.zones.map(({ entered_ms, left_ms, ...zone }) => ({
      ...zone,
      entered_at: formatTime(entered_ms),
      left_at: left_ms === null ? null : formatTime(left_ms),
    })),
    evidence: `/evidence/${id}`,
  };
  return sightingSchema.safeParse(sighting).data ?? null;
}

function nearestOf({ nearest }: SightingSummary): Sighting['nearest'] {
  if (nearest === null) return null;
  const { at_ms, ...rest } = nearest;
  return { ...rest, inside: rest.distance_m === 0, at: formatTime(at_ms) };
}

/** Parses the columns `level` and `summary`; null for a track that was never confirmed. */
export function summaryOf(level: Scalar | undefined, text: Scalar | undefined): SightingSummary | null {
  if (level === null || level === undefined) return null;
  const stored = parseText(text) as Partial<SightingSummary> | null;
  return { level: Number(level), nearest: stored?.nearest ?? null, zones: stored?.zones ?? [] };
}

/** Parses a stored JSON text; null if the text is not JSON. */
export function parseText(text: Scalar | undefined): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** Builds trails from the rows of a trails query. Points that cannot be parsed are left out. */
export function unpackTrails([head = [], ...rows]: readonly RawRow[]): {
  stepS: number;
  tracks: number;
  trails: Trails['tracks'];
} {
  const trails = new Map<string, Trails['tracks'][number]>();
  for (const [id, number, atMs, state, lat, lon, altHaeM, altMslM, altAglM] of rows) {
    const trackId = String(id);
    const trail = trails.get(trackId) ?? { track_id: trackId, number: trackLabel(Number(number)), points: [] };
    trails.set(trackId, trail);
    const heights = { alt_hae_m: altHaeM, alt_msl_m: altMslM, alt_agl_m: altAglM };
    const point = { at: formatTime(Number(atMs)), state, lat, lon, ...heights };
    const read = trailPointSchema.safeParse(point).data;
    if (read) trail.points.push(read);
  }
  return { stepS: Number(head[0]) / 1_000, tracks: Number(head[1]), trails: [...trails.values()] };
}
