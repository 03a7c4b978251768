import { trackLabel } from '../model/ids.ts';
import { PREDICTION, TRACK } from '../model/rows/layouts.ts';
import type { Provenance, Track, TrackState } from '../model/track.ts';
import { LEADS_S, ROW_WIDTH, stateCodes, type TrackCard } from '../model/track_row.ts';
import { normaliseDeg } from '../model/units.ts';

/** Least speed at which a course is published, m/s. At lower speeds the course is noise. */
const COURSE_FROM_MPS = 0.3;
/** Lower limit of heights in a document, m; see model/scalar.ts. */
const LOWEST_AGL_M = -1_000;

/** Dependencies of a document: conversions of times and heights. */
export type DocumentDeps = {
  /** Returns the RFC 3339 text of a world time. */
  timeText(worldMs: number): string;
  mslOfHae(altHaeM: number, latDeg: number, lonDeg: number): number;
  /** Height of the ground above the ellipsoid, m; null if unknown. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  provenance: Provenance;
};

/**
 * Document fields that come from a row of the core, except the predictions (`predictedOf`). All conversions of the
 * core's rows and descriptions (`TrackCard`) to track documents are in this file.
 */
export function kinematicFields(row: Float64Array, deps: DocumentDeps) {
  const at = (column: number): number => row[column] ?? Number.NaN;
  const hM = at(TRACK.majorM);
  const placed = isPlaced(row);
  return {
    position: placed ? positionOf(at, deps) : null,
    velocity: placed ? velocityOf(at) : null,
    uncertainty: placed
      ? {
          h_m: round(hM, 2),
          v_m: known(at(TRACK.sigmaVM), 2),
          ellipse: {
            major_m: round(hM, 2),
            minor_m: round(at(TRACK.minorM), 2),
            orientation_deg: round(at(TRACK.orientationDeg), 1) % 180,
          },
          sigma: 1 as const,
        }
      : null,
    quality: placed ? qualityOf(hM) : 0,
    last_seen_at: deps.timeText(at(TRACK.lastSeenMs)),
    updated_at: deps.timeText(at(TRACK.updatedMs)),
  } satisfies Partial<Track>;
}

/** True if the track of a row has a position. */
export function isPlaced(row: Float64Array): boolean {
  return !Number.isNaN(row[TRACK.latDeg]);
}

export function stateOf(code: number | undefined): TrackState {
  return stateCodes[code ?? 0] ?? 'tentative';
}

export function cardFields(card: TrackCard, deps: DocumentDeps) {
  return {
    id: card.id,
    number: trackLabel(card.number),
    ...receivedFields(card, deps),
    classification: card.classification,
    cooperative: card.cooperative,
    operator: card.operator,
    takeoff: card.takeoff,
    status: card.status,
    claims: card.claims.map(({ source, says, atMs }) => ({ source, says, at: deps.timeText(atMs) })),
    lineage: card.lineage.map((one) => ({
      sensor_id: one.sensorId,
      node_id: one.nodeId,
      object_id: one.objectId,
      identity: one.identity,
      derived_from: one.derivedFrom.map(({ nodeId, objectId }) => ({ node_id: nodeId, object_id: objectId })),
      at: deps.timeText(one.atMs),
    })),
    flags: card.flags,
    integrity: card.integrity,
    first_seen_at: deps.timeText(card.firstSeenMs),
  } satisfies Partial<Track>;
}

/** Document fields that change with every report: identities and contributors. */
export function receivedFields(card: TrackCard, { timeText }: DocumentDeps) {
  return {
    identities: card.identities.map(({ type, value, transport, firstMs, lastMs }) => ({
      type,
      value,
      transport,
      first_seen_at: timeText(firstMs),
      last_seen_at: timeText(lastMs),
    })),
    contributors: card.contributors.map(({ sensorId, lastMs, hits, rssiDbm }) => ({
      sensor_id: sensorId,
      last_at: timeText(lastMs),
      hits,
      rssi_dbm: rssiDbm,
    })),
  } satisfies Partial<Track>;
}

/** Document fields before the first decision about the affiliation. */
function undecidedFields(deps: DocumentDeps) {
  return {
    affiliation: 'unknown',
    affiliation_basis: 'none',
    asset_id: null,
    provenance: deps.provenance,
    group_id: null,
  } satisfies Partial<Track>;
}

type At = (column: number) => number;

function positionOf(at: At, deps: DocumentDeps): Track['position'] {
  const lat = round(at(TRACK.latDeg), 7);
  const lon = round(at(TRACK.lonDeg), 7);
  const altHaeM = known(at(TRACK.altHaeM), 2);
  return {
    lat,
    lon,
    alt_hae_m: altHaeM,
    alt_msl_m: altHaeM === null ? null : round(deps.mslOfHae(altHaeM, lat, lon), 2),
    alt_agl_m: known(at(TRACK.altAglM), 2) ?? aboveGround(altHaeM, lat, lon, deps),
    height_takeoff_m: known(at(TRACK.heightTakeoffM), 2),
  };
}

/**
 * Height above ground, computed from the ground height, m. Null if unknown, or below `LOWEST_AGL_M`: a height below
 * this limit shows that the ground height is wrong.
 */
function aboveGround(altHaeM: number | null, lat: number, lon: number, deps: DocumentDeps): number | null {
  const groundM = altHaeM === null ? null : deps.groundAltHaeM(lat, lon);
  if (altHaeM === null || groundM === null) return null;
  const aglM = round(altHaeM - groundM, 2);
  return aglM < LOWEST_AGL_M ? null : aglM;
}

function velocityOf(at: At): Track['velocity'] {
  const east = at(TRACK.eastMps);
  const north = at(TRACK.northMps);
  const speed = Math.hypot(east, north);
  return {
    speed_mps: round(speed, 2),
    course_deg: speed < COURSE_FROM_MPS ? null : normaliseDeg(round((Math.atan2(east, north) * 180) / Math.PI, 1)),
    climb_mps: Number.isNaN(at(TRACK.altHaeM)) ? null : round(at(TRACK.upMps), 2),
  };
}

/** Predicted positions from a row of the core; none for a track without a position. */
export function predictedOf(row: Float64Array): Track['predicted'] {
  if (!isPlaced(row)) return [];
  return LEADS_S.map((inS, i) => {
    const from = TRACK.predicted + i * PREDICTION.width;
    const at = (column: number): number => row[from + column] ?? Number.NaN;
    return {
      in_s: inS,
      lat: round(at(PREDICTION.latDeg), 7),
      lon: round(at(PREDICTION.lonDeg), 7),
      alt_hae_m: known(at(PREDICTION.altHaeM), 1),
      radius_m: round(at(PREDICTION.radiusM), 1),
    };
  });
}

/** Quality: 15 up to 1 m of 1-sigma error, 3 less for each factor of four, 0 beyond 1 km or without a position. */
function qualityOf(hM: number): number {
  return Math.min(15, Math.max(0, Math.round(15 - 1.5 * Math.log2(Math.max(hM, 1)))));
}

function known(value: number, digits: number): number | null {
  return Number.isNaN(value) ? null : round(value, digits);
}

/** Rounds to a number of decimals; −0 becomes 0. */
export function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}

/** Row of a track without a position. */
function unplacedRow(seenMs: number): Float64Array {
  const row = new Float64Array(ROW_WIDTH).fill(Number.NaN);
  row[TRACK.state] = 0;
  row[TRACK.updatedMs] = seenMs;
  row[TRACK.lastSeenMs] = seenMs;
  return row;
}

/** Returns the document of a track that has a card, but no row yet. */
export function openedDocument(card: TrackCard, deps: DocumentDeps): Track {
  const unplaced = kinematicFields(unplacedRow(card.firstSeenMs), deps);
  return {
    // `state` comes first: V8 reads an object literal slowly if it begins with a spread.
    state: 'tentative',
    ...cardFields(card, deps),
    ...undecidedFields(deps),
    ...unplaced,
    predicted: [],
  };
}
