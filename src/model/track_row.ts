import type { Assessment } from './assessment.ts';
import type { Classification, FlightStatus, Identity, Operator, Takeoff } from './observation.ts';
import { type EndReason, PREDICTION, TRACK, trackStates, verdicts } from './rows/layouts.ts';
import type { Track, TrackFlag, TrackState } from './track.ts';

/** Seconds ahead for which a position is predicted. */
export const LEADS_S = [5, 10, 20, 30] as const;

/** Numbers of one packed track: its columns, then a prediction for each of `LEADS_S`. */
export const ROW_WIDTH = TRACK.predicted + LEADS_S.length * PREDICTION.width;

export type ReceivedAs = Identity & { firstMs: number; lastMs: number };
export type Contributor = { sensorId: string; lastMs: number; hits: number; rssiDbm: number | null };

/** Integrity of the claims of an aircraft. */
export type Integrity = Track['integrity'];

/** The part of a track that changes seldom; times and counts of its lists move on by packed rows, see heard_row.ts. */
export type TrackCard = {
  id: string;
  number: number;
  identities: ReceivedAs[];
  classification: Classification[];
  cooperative: Track['cooperative'];
  operator: Operator | null;
  takeoff: Takeoff | null;
  status: FlightStatus | null;
  contributors: Contributor[];
  flags: TrackFlag[];
  integrity: Integrity;
  firstSeenMs: number;
};

export type TrackRemoval = { id: string; number: number; reason: EndReason; into?: string };

/**
 * Changes of one step. `rows` holds a packed row for each track that moved or changed state. `cards` holds the cards
 * that changed. `received` holds rows of received_row.ts for cards published before. A new track has a row and a card.
 * `assigned` holds pairs: the sequence of an observation and the number of the track that it went to, 0 for none,
 * negative where its place was held back; of a plot that is weighed with others of its scan that may come some steps
 * later. `dueMs` is when something will change without an observation.
 */
export type CoreOutput = {
  nowMs: number;
  rows: Float64Array;
  cards: TrackCard[];
  received: Float64Array;
  removed: TrackRemoval[];
  assigned: Float64Array;
  dueMs: number;
  /** Threats, groups, zone events, rule firings and nearest approaches that changed in this step. */
  assessment: Assessment;
  /** Newly learnt measurement offsets of radars. They are subtracted before tracking. */
  offsets: { sensorId: string; azimuthDeg: number; rangeM: number }[];
};

/** A track as an earlier run left it: known again by its identities, shown as lost at its true age. */
export type RestoredTrack = Omit<TrackCard, 'integrity'> & { lastSeenMs: number };

export const stateCodes: readonly TrackState[] = trackStates;
export const verdictCodes: readonly Integrity['verdict'][] = verdicts;
