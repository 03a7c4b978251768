import type { Assessment } from './assessment.ts';
import type { Classification, FlightStatus, Identity, Lineage, Operator, Takeoff } from './observation.ts';
import { type EndReason, PREDICTION, TRACK, trackStates, verdicts } from './rows/layouts.ts';
import type { Track, TrackFlag, TrackState } from './track.ts';

/** Times ahead for which positions are predicted, s. */
export const LEADS_S = [5, 10, 20, 30] as const;

/** Numbers of one packed track: its columns, then a prediction for each of `LEADS_S`. */
export const ROW_WIDTH = TRACK.predicted + LEADS_S.length * PREDICTION.width;

export type ReceivedAs = Identity & {
  firstMs: number;
  lastMs: number;
  /** True for a number in another system that came over a link which proves its sender; absent for false. */
  isProven?: boolean;
};
/** Affiliation that another system has stated since a time. */
export type StatedAffiliation = { source: string; says: Track['affiliation']; atMs: number };
/** Object of another fusion system, with the time since which it has been reported so. */
export type TrackLineage = Lineage & { atMs: number };
export type Contributor = { sensorId: string; lastMs: number; hits: number; rssiDbm: number | null };

/** Integrity of the claims of an aircraft. */
export type Integrity = Track['integrity'];

/**
 * Description of a track: the part that changes seldom. Times and counts in its lists are updated by packed rows, see
 * received_row.ts.
 */
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
  /** Affiliations that other systems state. They decide nothing. */
  claims: StatedAffiliation[];
  /** Objects of other fusion systems that the track is made of. */
  lineage: TrackLineage[];
  flags: TrackFlag[];
  integrity: Integrity;
  firstSeenMs: number;
};

export type TrackRemoval = { id: string; number: number; reason: EndReason; into?: string };

/**
 * Changes of one step. `rows` has a packed row for each track that moved or changed state. `cards` has the descriptions
 * that changed. `received` has rows of received_row.ts for descriptions published before. A new track has a row and a
 * description. `assigned` has pairs: the sequence of an observation, and the number of its track. The number is 0 for
 * none, and negative where the position was held back. The pair of a plot may follow some steps later, after its scan
 * was associated. `dueMs` is the time at which something changes without an observation.
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

/** A track of an earlier run. It is recognised by its identities, and shown as lost at its true age. */
export type RestoredTrack = Omit<TrackCard, 'integrity'> & {
  lastSeenMs: number;
  /** Link of its identities of the type `external`, where it is known. */
  link?: string;
};

export const stateCodes: readonly TrackState[] = trackStates;
export const verdictCodes: readonly Integrity['verdict'][] = verdicts;
