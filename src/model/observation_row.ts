import type { Claim, Classification, FlightStatus, Identity, Lineage, Operator, Takeoff } from './observation.ts';

/**
 * Claims of one transmitter, sent once and after each change. Packed observations refer to a dossier by its index, so
 * that they contain only numbers.
 */
export type Dossier = {
  index: number;
  /**
   * Link of the identities of the type `external`, which are valid on this link only. Absent without such an identity.
   */
  link?: string;
  /** Affiliation that another system states; absent without one. */
  claim?: Claim;
  /** Origin of a track of another fusion system; absent without one. */
  lineage?: Lineage;
  identities: readonly Identity[];
  classification: readonly Classification[];
  operator: Operator | null;
  takeoff: Takeoff | null;
  status: FlightStatus | null;
  /** The value of `Observation.landed`; absent if it was not reported. */
  landed?: boolean;
};

/** Observations for the core. `rows` contains whole packed observations in order of arrival. */
export type ObservationBatch = { rows: Float64Array; dossiers: readonly Dossier[] };
