import type { AdsbReport } from '../message.ts';

/** Fields of every record. `source` is SAC/SIC, such as `204/17`; the time of day is UTC, null where there is none. */
export type AsterixHead = { source: string; timeOfDayS: number | null };

/** CAT 048: a target of one radar. Units are SI, absent values null. */
export type RadarPlot = AsterixHead & {
  kind: 'radar_plot';
  /** 020 TYP: 1 primary radar, 2 secondary radar, 3 both, 4 and 5 Mode S, 6 and 7 both with Mode S. */
  typ: number | null;
  /** Whether the radar saw nothing and continues its track by itself. */
  isGuess: boolean;
  rangeM: number | null;
  /** Clockwise from true north at the radar. */
  azimuthDeg: number | null;
  /** Height by a radar that measures elevation, above mean sea level. */
  altMslM: number | null;
  track: number | null;
  /** Whether the radar confirmed its track; null for a plot without one. */
  isConfirmed: boolean | null;
  /** Whether this is the last report of its track. */
  isLast: boolean;
  speedMps: number | null;
  courseDeg: number | null;
  dopplerMps: number | null;
  icao24: string | null;
  callsign: string | null;
  rssiDbm: number | null;
  /** Codes of 030: warnings, errors and the classification of the target. */
  codes: readonly number[];
};

/** CAT 062: a track of a system that joined the reports of its radars. */
export type SystemTrack = AsterixHead & {
  kind: 'system_track';
  track: number;
  latDeg: number | null;
  lonDeg: number | null;
  eastMps: number | null;
  northMps: number | null;
  climbMps: number | null;
  /** Height above the ellipsoid, and pressure altitude. */
  altHaeM: number | null;
  altPressureM: number | null;
  sigmaXM: number | null;
  sigmaYM: number | null;
  sigmaVM: number | null;
  isConfirmed: boolean;
  isLast: boolean;
  /** Whether the position is a prediction: the system has no report of the last seconds. */
  isCoasting: boolean;
  icao24: string | null;
  callsign: string | null;
};

/** CAT 021: one ADS-B report, as its ground station joined it. */
export type StationReport = AsterixHead & Omit<AdsbReport, 'kind'> & { kind: 'station_report' };

/** CAT 034, 023, 063, 065: condition and life of a radar, ground station or tracker. */
export type ServiceReport = AsterixHead & {
  kind: 'service';
  category: number;
  /** Event that the message announces. `north`: the antenna passes north, and a turn begins. */
  event: 'north' | 'sector' | 'other';
  turnS: number | null;
  /** Fault of the source, or of the radar `about` behind it; null where it works, absent where the message does not say. */
  trouble?: { state: 'fault' | 'degraded'; reason: string } | null;
  about: string | null;
  /** Place of the radar. */
  site: { latDeg: number; lonDeg: number; altMslM: number } | null;
};

export type AsterixMessage = RadarPlot | SystemTrack | StationReport | ServiceReport;
