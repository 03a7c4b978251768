import type { PositionObservation } from '../geo/filter_bank.ts';
import type { LocalFrame } from '../geo/local_frame.ts';
import type { Observation } from '../model/observation.ts';
import type { SensorValue } from './settings.ts';

/** Standard deviations where a source declares none. */
const DEFAULT_SD_H_M = 15;
const DEFAULT_SD_V_M = 30;
const DEFAULT_SD_SPEED_MPS = 2;
const DEFAULT_SD_CLIMB_MPS = 1.5;
const DEFAULT_SD_RANGE_M = 20;
const DEFAULT_SD_AZIMUTH_DEG = 1.5;
/**
 * No source is better than this, whatever it declares: a variance that vanishes beside the state's leaves a covariance
 * that is none, and the filter divides by it.
 */
const LEAST_SD_M = 0.1;
const LEAST_SD_MPS = 0.01;
/**
 * A height that is less certain than this says nothing, and would let the filter explain a move on the ground by one
 * through the height: at the edge of a tangent plane the two lean on each other.
 */
const MOST_SD_V_M = 1_000;
const RAD = Math.PI / 180;

/** A sensor with the tangent plane it measures in, where it has a placement. */
export type PlacedSensor = SensorValue & { frame: LocalFrame | null };

/** The position that an observation gives, alone or with its sensor's placement; null where it gives none. */
export function positionOf(observation: Observation, sensor: PlacedSensor | undefined): PositionObservation | null {
  let position: PositionObservation | null = null;
  if (observation.latDeg !== null && observation.lonDeg !== null) position = declaredPosition(observation);
  else if (observation.report === 'range_bearing' && sensor?.frame)
    position = plottedPosition(observation, sensor.frame);
  return position && isSound(position) ? believed(position) : null;
}

function believed(p: PositionObservation): PositionObservation {
  return {
    ...p,
    sdHM: Math.max(p.sdHM, LEAST_SD_M),
    sdVM: Math.min(Math.max(p.sdVM, LEAST_SD_M), MOST_SD_V_M),
    sdSpeedMps: Math.max(p.sdSpeedMps, LEAST_SD_MPS),
    sdClimbMps: Math.max(p.sdClimbMps, LEAST_SD_MPS),
  };
}

/** The codecs let nothing else through; a filter fed with one number that is none would never recover. */
function isSound(p: PositionObservation): boolean {
  const finite = [p.timeMs, p.latDeg, p.lonDeg, p.sdHM, p.sdVM].every(Number.isFinite);
  const sane = [p.eastMps, p.northMps, p.upMps, p.altHaeM].every(
    (value) => Math.abs(value) < 1e6 || Number.isNaN(value),
  );
  return finite && sane && p.sdHM > 0 && p.sdVM > 0 && p.sdSpeedMps > 0 && p.sdClimbMps > 0;
}

function declaredPosition(o: Observation): PositionObservation {
  const moving = o.speedMps !== null && (o.courseDeg !== null || o.speedMps === 0);
  const course = (o.courseDeg ?? 0) * RAD;
  const speed = o.speedMps ?? 0;
  return {
    timeMs: o.timeMs,
    latDeg: o.latDeg ?? 0,
    lonDeg: o.lonDeg ?? 0,
    altHaeM: o.altHaeM ?? Number.NaN,
    sdHM: o.sigmaHM ?? DEFAULT_SD_H_M,
    sdVM: o.sigmaVM ?? DEFAULT_SD_V_M,
    eastMps: moving ? speed * Math.sin(course) : Number.NaN,
    northMps: moving ? speed * Math.cos(course) : Number.NaN,
    upMps: o.climbMps ?? Number.NaN,
    sdSpeedMps: o.sigmaSpeedMps ?? DEFAULT_SD_SPEED_MPS,
    sdClimbMps: o.sigmaSpeedMps ?? DEFAULT_SD_CLIMB_MPS,
  };
}

/**
 * A radar plot as a position: the polar measurement in the sensor's own tangent plane. Without an elevation the height
 * is not known and the range is taken as lying in that plane.
 */
function plottedPosition(o: Observation, frame: LocalFrame): PositionObservation | null {
  if (o.rangeM === null || o.azimuthDeg === null) return null;
  const elevation = (o.elevationDeg ?? 0) * RAD;
  const azimuth = o.azimuthDeg * RAD;
  const ground = o.rangeM * Math.cos(elevation);
  const up = o.rangeM * Math.sin(elevation);
  const place = frame.toGeodetic(ground * Math.sin(azimuth), ground * Math.cos(azimuth), up);
  const sdCross = o.rangeM * (o.sigmaAzimuthDeg ?? DEFAULT_SD_AZIMUTH_DEG) * RAD;
  const sdUp = o.rangeM * (o.sigmaElevationDeg ?? DEFAULT_SD_AZIMUTH_DEG) * RAD;
  return {
    timeMs: o.timeMs,
    latDeg: place.latDeg,
    lonDeg: place.lonDeg,
    altHaeM: o.elevationDeg === null ? Number.NaN : place.altHaeM,
    sdHM: Math.max(o.sigmaRangeM ?? DEFAULT_SD_RANGE_M, sdCross, 1),
    sdVM: Math.max(sdUp, 1),
    eastMps: Number.NaN,
    northMps: Number.NaN,
    upMps: Number.NaN,
    sdSpeedMps: DEFAULT_SD_SPEED_MPS,
    sdClimbMps: DEFAULT_SD_CLIMB_MPS,
  };
}
