import { type Detection, detectionSchema, type Rejection } from '../../model/detection.ts';
import { type LogEvent, logEventSchema, unattended } from '../../model/event.ts';
import type { SightingSummary } from '../../model/sighting.ts';
import { formatTime } from '../../model/time.ts';
import {
  storedTrackSchema,
  type Track,
  type TrackPoint,
  type TrackState,
  trackPointSchema,
} from '../../model/track.ts';
import type { Kind, PackedRow, RawRow } from './packed.ts';
import { keysOf, parseText } from './sighting_rows.ts';

type ColumnField = 'id' | 'sensor_id' | 'link_id' | 'track_id' | 'rejected_by' | 'received_at';
type DocumentField = Exclude<keyof Detection, ColumnField>;

/**
 * Detection as it is stored: fields with a column of their own, and a document of the others. Unknown values are
 * undefined instead of null, also within its parts. This saves half of the bytes. `receivedMs` is UTC, ms.
 */
export type DetectionRow = {
  id: string;
  receivedMs: number;
  sensorId: string;
  linkId: string | null;
  trackId: string | null;
  rejectedBy: Rejection | null;
  document: { [field in DocumentField]: NonNullable<Detection[field]> | undefined };
};

/** Point of a track, as the core delivers it. `atMs` is UTC, ms; unknown values are null. */
export type PointRow = {
  trackId: string;
  atMs: number;
  state: TrackState;
  latDeg: number | null;
  lonDeg: number | null;
  altHaeM: number | null;
  altMslM: number | null;
  altAglM: number | null;
  heightTakeoffM: number | null;
  speedMps: number | null;
  courseDeg: number | null;
  climbMps: number | null;
  hM: number | null;
};

/** Last document of a track. `sighting` is null while the track was never confirmed. */
export type TrackRow = { document: Track; sighting: SightingSummary | null };

/** Rows to append, by kind. */
export type HistoryRows = { detection: DetectionRow; point: PointRow; track: TrackRow; event: LogEvent };

const packers: { [K in Kind]: (row: HistoryRows[K]) => PackedRow } = {
  detection: (row) => [
    'detection',
    row.receivedMs,
    row.id,
    row.sensorId,
    row.linkId,
    row.trackId,
    row.rejectedBy,
    JSON.stringify(row.document),
  ],
  point: (row) => [
    'point',
    Math.round(row.atMs),
    row.trackId,
    row.state,
    row.latDeg,
    row.lonDeg,
    row.altHaeM,
    row.altMslM,
    row.altAglM,
    row.heightTakeoffM,
    row.speedMps,
    row.courseDeg,
    row.climbMps,
    row.hM,
  ],
  track: packTrack,
  event: (row) => [
    'event',
    Date.parse(row.at),
    row.seq,
    row.id,
    row.kind,
    row.severity,
    row.subject?.type ?? null,
    row.subject?.id ?? null,
    row.subject?.label ?? null,
    row.text,
    row.before === null && row.after === null ? null : JSON.stringify(changeOf(row)),
  ],
};

function packTrack({ document, sighting }: TrackRow): PackedRow {
  const { id, state, number, first_seen_at, last_seen_at } = document;
  const common = ['track', Date.parse(last_seen_at), id, state, JSON.stringify(document)] as const;
  const listed = [Number(number.slice(2)), Date.parse(first_seen_at)] as const;
  if (sighting === null) return [...common, ...listed, null, null, null];
  const { level, ...summary } = sighting;
  return [...common, ...listed, level, JSON.stringify(summary), JSON.stringify(keysOf(document, sighting))];
}

function changeOf({ before, after, policy_version }: LogEvent): Partial<LogEvent> {
  return policy_version === null ? { before, after } : { before, after, policy_version };
}

/** Copies a row; the caller may change it afterwards. */
export function packRow<K extends Kind>(kind: K, row: HistoryRows[K]): PackedRow {
  return packers[kind](row);
}

const unknownFields = Object.fromEntries(Object.keys(detectionSchema.shape).map((field) => [field, null]));

/** Fields of the parts of a document, with null for unknown values, which are not stored. */
const unknownParts = {
  position: { lat: null, lon: null, alt_hae_m: null, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null },
  sigma: { h_m: null, v_m: null, range_m: null, azimuth_deg: null, elevation_deg: null, speed_mps: null },
  velocity: { speed_mps: null, course_deg: null, climb_mps: null },
  signal: { rssi_dbm: null, center_hz: null, bandwidth_hz: null },
};

/**
 * Converts a row of the columns `detections` of `queries.ts` to a detection; null if the stored document cannot be
 * parsed.
 */
export function unpackDetection(raw: RawRow): Detection | null {
  const [receivedMs, , id, sensorId, linkId, trackId, rejectedBy, text] = raw;
  const document: Record<string, unknown> = { ...unknownFields };
  Object.assign(document, parseText(text));
  for (const [field, unknown] of Object.entries(unknownParts))
    if (document[field]) document[field] = { ...unknown, ...document[field] };
  Object.assign(document, { id, sensor_id: sensorId, link_id: linkId, track_id: trackId });
  Object.assign(document, { rejected_by: rejectedBy, received_at: formatTime(Number(receivedMs)) });
  return detectionSchema.safeParse(document).data ?? null;
}

/** Converts a row of the columns `pointColumns` of `queries.ts` to a point; null if a value is out of its range. */
export function unpackPoint(raw: RawRow): TrackPoint | null {
  const [atMs, state, lat, lon, altHaeM, altMslM, altAglM, heightTakeoffM, speedMps, courseDeg, climbMps, hM] = raw;
  const point = {
    at: formatTime(Number(atMs)),
    state,
    lat,
    lon,
    alt_hae_m: altHaeM,
    alt_msl_m: altMslM,
    alt_agl_m: altAglM,
    height_takeoff_m: heightTakeoffM,
    speed_mps: speedMps,
    course_deg: courseDeg,
    climb_mps: climbMps,
    h_m: hM,
  };
  return trackPointSchema.safeParse(point).data ?? null;
}

/**
 * Converts a row of the columns `events` of `queries.ts` to an event; null if the row cannot be parsed. `provenance` is
 * the provenance of the history's world.
 */
export function unpackEvent(raw: RawRow, provenance: LogEvent['provenance'] = 'live'): LogEvent | null {
  const [atMs, seq, id, kind, severity, type, subjectId, label, text, changed] = raw;
  const change = changed === null ? {} : (parseText(changed) as object | null);
  const subject = type === null ? null : { type, id: subjectId, label };
  const at = formatTime(Number(atMs));
  const event = { id, seq, at, kind, severity, subject, text, ...unattended, provenance, ...change };
  return logEventSchema.safeParse(event).data ?? null;
}

/** Converts a row of one column to a track document; null if the text is damaged or too old to be parsed. */
export function unpackTrack([text]: RawRow): Track | null {
  return storedTrackSchema.safeParse(parseText(text)).data ?? null;
}
