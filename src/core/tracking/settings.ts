import type { Geodetic } from '../../geo/position.ts';

/** The life of a track: settings that a person may change while tracks live. */
export type TrackLife = {
  /** Number of observations that confirm a tentative track, all within `confirmWindowS`. */
  confirmHits: number;
  confirmWindowS: number;
  /** Times without evidence after which a track coasts, is lost, and is closed, s. */
  coastS: number;
  lostS: number;
  closeS: number;
};

/** Settings of tracking: the life of tracks from the decision config, the rest from the configuration. */
export type TrackingSettings = TrackLife & {
  /** Greatest number of tracks. When full, the least trusted track that was received longest ago makes room. */
  maxTracks: number;
  /** Settings of the native tracker by name, where they differ from native/tracker/settings.h. */
  tuning?: Readonly<Record<string, number>>;
  /** Origin of the site's axes; without one, the first place that is reported. */
  origin?: Geodetic;
};

/** Known coverage and quality of a sensor. */
export type Seeing = {
  /** False where the sensor's own height above the ellipsoid is not known: its elevations are then not usable. */
  heightKnown?: boolean;
  /** Whether the sensor measures ranges, as a radar does. */
  ranges: boolean;
  /** Whether the sensor's coverage is known: a missing plot inside it counts against a track. */
  covers: boolean;
  /** Probability of detection inside the coverage. */
  detection: number;
  /** Mean number of false plots in one scan. */
  clutterPerScan: number;
  rangeM: readonly [number, number];
  /** Middle and width of the sector of view, clockwise from true north. */
  azimuthDeg: number;
  azimuthWidthDeg: number;
  elevationDeg: readonly [number, number];
  clutterRangeM: readonly [number, number] | null;
  clutterElevationDeg: readonly [number, number] | null;
  /** Interval between scans, s. */
  periodS: number;
  /** Whether the plots of one scan are measured one after another. */
  rotating: boolean;
};

/** A sensor as the core needs to know it. */
export type SensorValue = {
  /** Index in packed observations. */
  index: number;
  id: string;
  /** True where the aircraft reports itself (Remote ID, ADS-B, telemetry) or another system reports it: a claim. */
  cooperative: boolean;
  /** True where it reports tracks of another system; absent for false. */
  fused?: boolean;
  placement: Geodetic | null;
  seeing: Seeing | null;
};
