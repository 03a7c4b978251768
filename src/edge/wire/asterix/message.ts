import type { AdsbReport } from '../message.ts';

/**
 * Common fields of records. `source` is SAC/SIC, such as `204/17`. `timeOfDayS` is s after midnight UTC, null if
 * absent.
 */
export type AsterixHead = { source: string; timeOfDayS: number | null };

/** CAT 048: target of one radar. Absent values are null. */
export type RadarPlot = AsterixHead & {
  kind: 'radar_plot';
  /**
   * Item 020 TYP: 0 no detection, 1 primary radar, 2 secondary radar, 3 primary and secondary, 4 and 5 Mode S, 6 and 7
   * Mode S and primary.
   */
  typ: number | null;
  /** True if the radar detected nothing and only extrapolates its track. */
  isGuess: boolean;
  rangeM: number | null;
  /** Azimuth clockwise from true north at the radar, degrees. */
  azimuthDeg: number | null;
  /** Height above mean sea level, m, from a radar that measures elevation. */
  altMslM: number | null;
  track: number | null;
  /** True if the radar confirmed its track; null for a plot without a track. */
  isConfirmed: boolean | null;
  /** True for the last report of a track. */
  isLast: boolean;
  speedMps: number | null;
  courseDeg: number | null;
  dopplerMps: number | null;
  icao24: string | null;
  callsign: string | null;
  rssiDbm: number | null;
  /** Codes of item 030: warnings, errors and the classification of the target. */
  codes: readonly number[];
};

/** CAT 062: track of a system that fuses the reports of its sensors. Absent values are null. */
export type SystemTrack = AsterixHead & {
  kind: 'system_track';
  track: number;
  latDeg: number | null;
  lonDeg: number | null;
  eastMps: number | null;
  northMps: number | null;
  climbMps: number | null;
  /** Height above the ellipsoid, m. */
  altHaeM: number | null;
  altPressureM: number | null;
  sigmaXM: number | null;
  sigmaYM: number | null;
  sigmaVM: number | null;
  isConfirmed: boolean;
  isLast: boolean;
  /** True if the position is a prediction: the system marks it so, or states that its newest report is over 2 s old. */
  isCoasting: boolean;
  icao24: string | null;
  callsign: string | null;
};

/** CAT 021: one ADS-B report, which the ground station assembled from several transmissions. */
export type StationReport = AsterixHead & Omit<AdsbReport, 'kind'> & { kind: 'station_report' };

/** CAT 034, 023, 063, 065: status message of a radar, ground station or tracker. */
export type ServiceReport = AsterixHead & {
  kind: 'service';
  category: number;
  /** Event that the message announces. `north`: the antenna passes north, which begins a rotation. */
  event: 'north' | 'sector' | 'other';
  turnS: number | null;
  /**
   * Fault of the radar `about`, or of the source itself if `about` is null. Null: no fault. Absent: the message does
   * not say.
   */
  trouble?: { state: 'fault' | 'degraded'; reason: string } | null;
  about: string | null;
  /** Position of the radar. */
  site: { latDeg: number; lonDeg: number; altMslM: number } | null;
};

export type AsterixMessage = RadarPlot | SystemTrack | StationReport | ServiceReport;
