import type { ObservationBatch } from '../../model/observation_row.ts';
import type { TrackCard, TrackRemoval } from '../../model/track_row.ts';

/** What a sensor is known to cover and how well it sees. Angles in degrees, azimuth from its true north. */
export type Seeing = {
  /** It measures ranges: a radar. */
  ranges: boolean;
  /** Not seeing what it covers counts. */
  covers: boolean;
  /** Chance that it sees an aircraft in one look, 0 to 1. */
  detection: number;
  /** Plots of nothing in one look, on average. */
  clutterPerLook: number;
  rangeM: readonly [number, number];
  /** Middle and width of the sector it looks at. */
  azimuthDeg: number;
  azimuthWidthDeg: number;
  elevationDeg: readonly [number, number];
  /** Where its clutter lies; null where that is not known. */
  clutterRangeM: readonly [number, number] | null;
  clutterElevationDeg: readonly [number, number] | null;
  /** Seconds from look to look. */
  periodS: number;
  rotating: boolean;
};

/** A sensor as the core needs to know it. `seeing` is null where nobody said. */
export type ScenarioSensor = {
  /** What packed observations name it by. */
  index: number;
  id: string;
  /** The aircraft itself says what is observed: a claim. */
  cooperative: boolean;
  placement: { latDeg: number; lonDeg: number; altHaeM: number } | null;
  seeing: Seeing | null;
};

/** A card; `integrity` is what the core holds of what the aircraft says of itself. */
export type JudgedCard = TrackCard & { integrity?: { verdict: 'consistent' | 'unchecked' | 'suspect' } };

/** What one step changed. Rows hold their kinematics as of the time of the step. */
export type StepOutput = {
  rows: Float64Array;
  cards: readonly JudgedCard[];
  removed: readonly TrackRemoval[];
  assigned: Uint32Array;
};

/** The part of the core that a run over a scenario needs. */
export type TrackingCore = {
  setSensors(sensors: readonly ScenarioSensor[]): void;
  step(batch: ObservationBatch, nowMs: number): StepOutput;
};

/** The tracker's settings by name, as a policy may set them. */
export type TrackerSettings = Readonly<Record<string, number>>;

export type CoreMaker = {
  /** Names that a policy may set. */
  settingNames: readonly string[];
  /** A core with these settings instead of its own; a Fault where one has a value that cannot be. */
  make(settings: TrackerSettings): TrackingCore;
};
