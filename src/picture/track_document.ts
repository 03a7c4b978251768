import { trackLabel } from '../model/ids.ts';
import type { Provenance, Track, TrackState } from '../model/track.ts';
import { COLUMN, LEADS_S, ROW_WIDTH, stateCodes, type TrackCard } from '../model/track_row.ts';
import { normaliseDeg } from '../model/units.ts';

/** Below this speed a course is noise. */
const COURSE_FROM_MPS = 0.3;
/** What a document may tell (model/scalar.ts). */
const LOWEST_AGL_M = -1_000;

/** What turns the core's numbers into a document: how times are told, and the geoid. */
export type DocumentRim = {
  /** RFC 3339 text of a world time. */
  timeText(worldMs: number): string;
  mslOfHae(altHaeM: number, latDeg: number, lonDeg: number): number;
  /** How high the ground is above the ellipsoid; null where nobody says. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  provenance: Provenance;
};

/** The one place where the core's columns and cards become the track document that clients see. */
export function kinematicFields(row: Float64Array, rim: DocumentRim) {
  const at = (column: number): number => row[column] ?? Number.NaN;
  const hM = at(COLUMN.majorM);
  const placed = !Number.isNaN(at(COLUMN.lat));
  return {
    position: placed ? positionOf(at, rim) : null,
    velocity: placed ? velocityOf(at) : null,
    uncertainty: placed
      ? {
          h_m: round(hM, 2),
          v_m: known(at(COLUMN.sigmaVM), 2),
          ellipse: {
            major_m: round(hM, 2),
            minor_m: round(at(COLUMN.minorM), 2),
            orientation_deg: round(at(COLUMN.orientationDeg), 1) % 180,
          },
          sigma: 1 as const,
        }
      : null,
    predicted: placed ? predictedOf(row) : [],
    quality: placed ? qualityOf(hM) : 0,
    last_seen_at: rim.timeText(at(COLUMN.lastSeenMs)),
    updated_at: rim.timeText(at(COLUMN.updatedMs)),
  } satisfies Partial<Track>;
}

export function stateOfRow(row: Float64Array): TrackState {
  return stateCodes[row[COLUMN.state] ?? 0] ?? 'tentative';
}

export function cardFields(card: TrackCard, rim: DocumentRim) {
  return {
    id: card.id,
    number: trackLabel(card.number),
    ...heardFields(card, rim),
    classification: card.classification,
    cooperative: card.cooperative,
    operator: card.operator,
    takeoff: card.takeoff,
    status: card.status,
    flags: card.flags,
    integrity: card.integrity,
    first_seen_at: rim.timeText(card.firstSeenMs),
  } satisfies Partial<Track>;
}

/** The lists of a card, which move on with every report. */
export function heardFields(card: TrackCard, { timeText }: DocumentRim) {
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

/** What no room decides yet: nobody is a friend without a registry. */
export function undecidedFields(rim: DocumentRim) {
  return {
    affiliation: 'unknown',
    affiliation_basis: 'none',
    asset_id: null,
    provenance: rim.provenance,
    group_id: null,
  } satisfies Partial<Track>;
}

type At = (column: number) => number;

function positionOf(at: At, rim: DocumentRim): Track['position'] {
  const lat = round(at(COLUMN.lat), 7);
  const lon = round(at(COLUMN.lon), 7);
  const altHaeM = known(at(COLUMN.altHaeM), 2);
  return {
    lat,
    lon,
    alt_hae_m: altHaeM,
    alt_msl_m: altHaeM === null ? null : round(rim.mslOfHae(altHaeM, lat, lon), 2),
    alt_agl_m: known(at(COLUMN.altAglM), 2) ?? aboveGround(altHaeM, lat, lon, rim),
    height_takeoff_m: known(at(COLUMN.heightTakeoffM), 2),
  };
}

/** A height that the aircraft or a sensor told goes before; a ground that is higher than any height is a mistake in it. */
function aboveGround(altHaeM: number | null, lat: number, lon: number, rim: DocumentRim): number | null {
  const groundM = altHaeM === null ? null : rim.groundAltHaeM(lat, lon);
  if (altHaeM === null || groundM === null) return null;
  const aglM = round(altHaeM - groundM, 2);
  return aglM < LOWEST_AGL_M ? null : aglM;
}

function velocityOf(at: At): Track['velocity'] {
  const east = at(COLUMN.eastMps);
  const north = at(COLUMN.northMps);
  const speed = Math.hypot(east, north);
  return {
    speed_mps: round(speed, 2),
    course_deg: speed < COURSE_FROM_MPS ? null : normaliseDeg(round((Math.atan2(east, north) * 180) / Math.PI, 1)),
    climb_mps: Number.isNaN(at(COLUMN.altHaeM)) ? null : round(at(COLUMN.upMps), 2),
  };
}

function predictedOf(row: Float64Array): Track['predicted'] {
  return LEADS_S.map((inS, i) => {
    const [lat = 0, lon = 0, altHaeM = Number.NaN, radiusM = 0] = row.subarray(
      COLUMN.predicted + i * 4,
      COLUMN.predicted + i * 4 + 4,
    );
    return {
      in_s: inS,
      lat: round(lat, 7),
      lon: round(lon, 7),
      alt_hae_m: known(altHaeM, 1),
      radius_m: round(radiusM, 1),
    };
  });
}

/** 15 within a metre, three less for each fourfold of the 1-sigma error, 0 beyond a kilometre or without a place. */
function qualityOf(hM: number): number {
  return Math.min(15, Math.max(0, Math.round(15 - 1.5 * Math.log2(Math.max(hM, 1)))));
}

function known(value: number, digits: number): number | null {
  return Number.isNaN(value) ? null : round(value, digits);
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  const rounded = Math.round(value * scale) / scale;
  return rounded === 0 ? 0 : rounded;
}

/** The row of a track that was heard and not placed. */
export function unplacedRow(seenMs: number): Float64Array {
  const row = new Float64Array(ROW_WIDTH).fill(Number.NaN);
  row[COLUMN.state] = 0;
  row[COLUMN.updatedMs] = seenMs;
  row[COLUMN.lastSeenMs] = seenMs;
  return row;
}
