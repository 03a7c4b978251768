import type { Classification, FlightStatus, Identity, Operator, Takeoff } from './observation.ts';
import type { TrackFlag, TrackState } from './track.ts';

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
  predicted: 16,
} as const;
export const ROW_WIDTH = COLUMN.predicted + LEADS_S.length * 4;

export type HeardAs = Identity & { firstMs: number; lastMs: number };
export type Contributor = { sensorId: string; lastMs: number; hits: number; rssiDbm: number | null };

/** The part of a track that changes seldom. */
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
  firstSeenMs: number;
};

export type TrackRemoval = { id: string; number: number; reason: 'closed' | 'merged' | 'dropped'; into?: string };

/**
 * What one step changed. `rows` holds a packed row for each track that moved or changed state, `cards` those whose card
 * changed; a new track comes with both. `assigned[i]` is the number of the track that observation i went to, 0 for none.
 */
export type CoreOutput = {
  nowMs: number;
  rows: Float64Array;
  cards: TrackCard[];
  removed: TrackRemoval[];
  assigned: Uint32Array;
};

/** A track as an earlier run left it: known again by its identities, shown as lost at its true age. */
export type RestoredTrack = Omit<TrackCard, 'cooperative'> & {
  lastSeenMs: number;
  cooperative: TrackCard['cooperative'];
};

export const stateCodes: readonly TrackState[] = ['tentative', 'confirmed', 'coasting', 'lost', 'closed'];
