import type { Classification, FlightStatus, Identity, Operator, Takeoff } from './observation.ts';

/** Claims of one transmitter; sent once and again when they change, so that each observation is only numbers. */
export type Dossier = {
  index: number;
  identities: readonly Identity[];
  classification: readonly Classification[];
  operator: Operator | null;
  takeoff: Takeoff | null;
  status: FlightStatus | null;
  /** The same as in an observation; absent where it was not reported. */
  landed?: boolean;
};

/** Observations on their way to the core: `rows` holds a whole number of packed observations in order of arrival. */
export type ObservationBatch = { rows: Float64Array; dossiers: readonly Dossier[] };
