import type { Assessment } from './assessment.ts';
import type { Classification, FlightStatus, Identity, Lineage, Operator, Takeoff } from './observation.ts';
import { type EndReason, PREDICTION, TRACK, trackStates, verdicts } from './rows/layouts.ts';
import type { Track, TrackFlag, TrackState } from './track.ts';

/** Lead times of the predicted positions, s. */
export const LEADS_S = [5, 10, 20, 30] as const;

/** Width of one packed track row: the columns of `TRACK`, then one prediction for each of `LEADS_S`. */
export const ROW_WIDTH = TRACK.predicted + LEADS_S.length * PREDICTION.width;

export type ReceivedAs = Identity & {
  firstMs: number;
  lastMs: number;
  /** True for another system's number that arrived over a link which proves its sender. Absent means false. */
  isProven?: boolean;
};
/** Affiliation that another system states for a track, and the time since which it does so. */
export type StatedAffiliation = { source: string; says: Track['affiliation']; atMs: number };
/** Object of another fusion system, and the time since which that system has reported it unchanged. */
export type TrackLineage = Lineage & { atMs: number };
export type Contributor = { sensorId: string; lastMs: number; hits: number; rssiDbm: number | null };

/** Integrity of the claims of an aircraft. */
export type Integrity = Track['integrity'];

/**
 * Description of a track: the part that rarely changes. The times and counts in its lists are updated by packed rows,
 * see received_row.ts.
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
  /** Affiliations that other systems state. Dunlin bases no decision on them. */
  claims: StatedAffiliation[];
  /** Objects of other fusion systems from which the track was made. */
  lineage: TrackLineage[];
  flags: TrackFlag[];
  integrity: Integrity;
  firstSeenMs: number;
};

export type TrackRemoval = { id: string; number: number; reason: EndReason; into?: string };

/**
 * Changes of one step:
 *
 * - `rows`: a packed row for each track that moved or changed state
 * - `cards`: the descriptions that changed; a new track has a row and a description
 * - `received`: rows of received_row.ts for descriptions that were published before
 * - `assigned`: pairs of an observation's sequence number and a track number. The track number is 0 for no track. It is
 *   negative if the position is not used until a second report confirms it. The pair of a plot may follow some steps
 *   later, when its scan is associated.
 * - `dueMs`: world time of the next change that needs no observation
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
  /** Newly learnt measurement offsets of radars; the core subtracts them from plots before tracking. */
  offsets: { sensorId: string; azimuthDeg: number; rangeM: number }[];
};

/** Track of an earlier run of the daemon. It is recognised by its identities, and `lost` since its last observation. */
export type RestoredTrack = Omit<TrackCard, 'integrity'> & {
  lastSeenMs: number;
  /** Link of the track's identities of the type `external`, if known. */
  link?: string;
};

export const stateCodes: readonly TrackState[] = trackStates;
export const verdictCodes: readonly Integrity['verdict'][] = verdicts;
