import type { Geodetic } from '../../geo/position.ts';

/** Settings of a track's life cycle, which a person may change during operation. */
export type TrackLife = {
  /** Number of observations that confirm a tentative track. All of them must arrive within `confirmWindowS`, s. */
  confirmHits: number;
  confirmWindowS: number;
  /** Time without evidence after which a track coasts, is lost, and is closed, s. */
  coastS: number;
  lostS: number;
  closeS: number;
};

/**
 * Settings of tracking: the life cycle from the decision configuration, the rest from the configuration file of the
 * service.
 */
export type TrackingSettings = TrackLife & {
  /**
   * Greatest number of tracks. Beyond it, the track with the weakest evidence is dropped; among equals, the one that
   * has been silent longest.
   */
  maxTracks: number;
  /** Values that replace defaults of native/tracker/settings.h, by the setting's name there. */
  tuning?: Readonly<Record<string, number>>;
  /** Origin of the site's axes. Without it the first known position of a sensor or an aircraft becomes the origin. */
  origin?: Geodetic;
};

/** Known coverage and quality of a sensor. */
export type Seeing = {
  /** False if the height of the sensor above the ellipsoid is unknown. Its measured elevations are then not used. */
  heightKnown?: boolean;
  /** Whether the sensor measures ranges, as a radar does. */
  ranges: boolean;
  /**
   * Whether the sensor's coverage is known. If it is, a missing plot inside the coverage lowers the existence of a
   * track.
   */
  covers: boolean;
  /** Probability of detection inside the coverage. */
  detection: number;
  /** Mean number of false plots in one scan. */
  clutterPerScan: number;
  rangeM: readonly [number, number];
  /**
   * Direction of the middle of the sector of view, degrees clockwise from true north. `azimuthWidthDeg` is the full
   * width of the sector, degrees.
   */
  azimuthDeg: number;
  azimuthWidthDeg: number;
  elevationDeg: readonly [number, number];
  clutterRangeM: readonly [number, number] | null;
  clutterElevationDeg: readonly [number, number] | null;
  /** Interval between scans, s. */
  periodS: number;
  /** Whether the sensor measures the plots of one scan one after another, as a rotating antenna does. */
  rotating: boolean;
};

/** Properties of a sensor that the core uses. */
export type SensorValue = {
  /** Number by which packed observations name this sensor. */
  index: number;
  id: string;
  /**
   * True if the reports are claims: the aircraft reports itself (Remote ID, ADS-B, telemetry), or another system
   * reports it.
   */
  cooperative: boolean;
  /** True if the reports are tracks of another fusion system; absent means false. */
  fused?: boolean;
  placement: Geodetic | null;
  seeing: Seeing | null;
};
