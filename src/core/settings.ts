/** What the life cycle of tracks goes by; from the configuration, later the decision config. */
export type TrackingSettings = {
  /** Observations within `confirmWindowS` that make a tentative track a confirmed one. */
  confirmHits: number;
  confirmWindowS: number;
  /** Seconds without evidence until a track coasts, is lost, is closed. */
  coastS: number;
  lostS: number;
  closeS: number;
  /** Tracks held at once; when full, the least trusted and longest unheard makes room. */
  maxTracks: number;
};

/** A sensor as the core needs to know it. */
export type SensorValue = {
  id: string;
  /** True where the aircraft itself says what is observed (Remote ID, ADS-B, telemetry): a claim. */
  cooperative: boolean;
  placement: { latDeg: number; lonDeg: number; altHaeM: number } | null;
};
