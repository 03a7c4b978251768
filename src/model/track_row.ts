import type { Assessment } from './assessment.ts';
import type { Classification, FlightStatus, Identity, Operator, Takeoff } from './observation.ts';
import type { integrityReasons, TrackFlag, TrackState } from './track.ts';

/** Seconds ahead for which a position is predicted. */
export const LEADS_S = [5, 10, 20, 30] as const;

/**
 * Columns of one packed row: the part of a track that changes with every observation. Positions in degrees and metres
 * above the ellipsoid, velocities in the local axes at the aircraft; NaN where not known. After `predicted` follow lat,
 * lon, height and radius for each of `LEADS_S`.
 */
export const COLUMN = {
  number: 0,
  state: 1,
  updatedMs: 2,
  lastSeenMs: 3,
  heightTakeoffM: 4,
  altAglM: 5,
  lat: 6,
  lon: 7,
  altHaeM: 8,
  eastMps: 9,
  northMps: 10,
  upMps: 11,
  majorM: 12,
  minorM: 13,
  orientationDeg: 14,
  sigmaVM: 15,
  /** Covariance of the position in the local axes, m². */
  covEE: 16,
  covEN: 17,
  covEU: 18,
  covNN: 19,
  covNU: 20,
  covUU: 21,
  /** Chance that it is there, within 100 m of the place told. */
  confidence: 22,
  /** Index in `verdicts`, bits of the reasons, looks in a row that should have seen it and did not. */
  verdict: 23,
  reasons: 24,
  misses: 25,
  predicted: 26,
} as const;
export const ROW_WIDTH = COLUMN.predicted + LEADS_S.length * 4;

export type HeardAs = Identity & { firstMs: number; lastMs: number };
export type Contributor = { sensorId: string; lastMs: number; hits: number; rssiDbm: number | null };

/** How far what an aircraft says of itself is borne out. */
export type Integrity = {
  verdict: 'consistent' | 'unchecked' | 'suspect';
  score: number;
  reasons: { id: (typeof integrityReasons)[number]; text: string }[];
};

/** The part of a track that changes seldom; times and counts of its lists move on by packed rows, see heard_row.ts. */
export type TrackCard = {
  id: string;
  number: number;
  identities: HeardAs[];
  classification: Classification[];
  cooperative: 'both' | 'coop_only' | 'non_coop_only';
  operator: Operator | null;
  takeoff: Takeoff | null;
  status: FlightStatus | null;
  contributors: Contributor[];
  flags: TrackFlag[];
  integrity: Integrity;
  firstSeenMs: number;
};

export type TrackRemoval = { id: string; number: number; reason: 'closed' | 'merged' | 'dropped'; into?: string };

/**
 * What one step changed. `rows` holds a packed row for each track that moved or changed state, `cards` those whose card
 * changed, `heard` rows of heard_row.ts for cards told before; a new track comes with a row and a card. `assigned` holds pairs: the sequence of an observation and the number of the track
 * that it went to, 0 for none, negative where its place was held back; of a plot that is weighed with others of its scan that may come some steps later. `dueMs`
 * is when something will change without an observation.
 */
export type CoreOutput = {
  nowMs: number;
  rows: Float64Array;
  cards: TrackCard[];
  heard: Float64Array;
  removed: TrackRemoval[];
  assigned: Float64Array;
  dueMs: number;
  /** What of it matters. */
  assessment: Assessment;
  /** Of radars: how far beside the aircraft they tell, where that was learnt anew. Taken off before tracking. */
  offsets: { sensorId: string; azimuthDeg: number; rangeM: number }[];
};

/** A track as an earlier run left it: known again by its identities, shown as lost at its true age. */
export type RestoredTrack = Omit<TrackCard, 'cooperative' | 'integrity'> & {
  lastSeenMs: number;
  cooperative: TrackCard['cooperative'];
};

export const stateCodes: readonly TrackState[] = ['tentative', 'confirmed', 'coasting', 'lost', 'closed'];

/** As native/tracker/claim.h codes them. */
export const verdictCodes: readonly Integrity['verdict'][] = ['unchecked', 'consistent', 'suspect'];
