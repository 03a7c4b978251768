import type { Classification, FlightStatus, Identity, Operator, Takeoff } from './observation.ts';

/**
 * Columns of one packed observation, as it travels to the core: doubles, NaN where not known. Mirrors
 * native/tracker/observation.h. Times are seconds of the world's clock.
 */
export const OBSERVED = {
  kind: 0,
  /** Index of the sensor among those the core was told of. */
  sensor: 1,
  timeS: 2,
  receivedS: 3,
  /** Number that the core's answer refers to. */
  sequence: 4,
  /** On its way in: index of the dossier of the one who says it, −1 for none. The core puts its own number there. */
  claim: 5,
  /** Azimuth from the sensor's true north, deg; or latitude, deg. */
  a: 6,
  /** Elevation, deg; or longitude, deg. */
  b: 7,
  /** Slant range, m; or height above the ellipsoid, m. */
  c: 8,
  /** 1-sigma: azimuth, deg; or along the ground, m. */
  sdA: 9,
  /** 1-sigma: elevation, deg; or of the height, m. */
  sdB: 10,
  /** 1-sigma of the range, m. */
  sdC: 11,
  /** Velocity in the local axes at the aircraft, m/s. */
  eastMps: 12,
  northMps: 13,
  upMps: 14,
  sdSpeedMps: 15,
  sdClimbMps: 16,
  /** Number of the scan it is of, −1 where the sensor tells none. */
  look: 17,
  /** On the head of a scan: plots that follow. */
  plots: 18,
  /** Index of the radio emitter that a bearing is of, −1 for none. */
  emitter: 19,
  /** 1 where the link proves who speaks. */
  authentic: 20,
  heightTakeoffM: 21,
  altAglM: 22,
  rssiDbm: 23,
  /** Where the core keeps the dossier's index. */
  dossier: 24,
  /** What the source's own clock showed; −∞ where the source says that it knows no time. */
  sourceS: 25,
  /** Along the ground; where no course is told it makes no velocity. */
  saidSpeedMps: 26,
} as const;
export const OBSERVED_WIDTH = 27;

/**
 * What a packed observation is: the head of a scan, a plot in the sensor's polar axes (what it does not measure is NaN),
 * a place on the earth (of somebody who says so, or of a sensor that sees it), or a word without a place. The last two are
 * positions that do not reach the tracker: a repeat of one report by another receiver, and a report that was refused.
 */
export const OBSERVED_KIND = { look: 0, plot: 1, position: 2, word: 3, repeat: 4, evidence: 5 } as const;

/** What somebody says of itself; sent once and again whenever it changes, so that each observation is only numbers. */
export type Dossier = {
  index: number;
  identities: readonly Identity[];
  classification: readonly Classification[];
  operator: Operator | null;
  takeoff: Takeoff | null;
  status: FlightStatus | null;
  /** As in an observation; absent where nobody said. */
  landed?: boolean;
};

/** Observations on their way to the core: `rows` holds a whole number of packed observations in order of arrival. */
export type ObservationBatch = { rows: Float64Array; dossiers: readonly Dossier[] };
