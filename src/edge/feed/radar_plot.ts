import { haeOfMsl } from '../../geo/geoid.ts';
import type { Classification, Identity, Observation } from '../../model/observation.ts';
import type { Placement } from '../../model/sensor.ts';
import type { RadarPlot } from '../wire/asterix/message.ts';

/** Standard deviations if the sensor declares none, m and degrees. */
const RANGE_SD_M = 15;
const AZIMUTH_SD_DEG = 0.5;
/**
 * Standard deviations of the quantisation in ASTERIX (step / √12), for steps of 1/256 NM, 360/2¹⁶ degrees and 25 ft.
 */
const RANGE_STEP_SD_M = 1_852 / 256 / Math.sqrt(12);
const AZIMUTH_STEP_SD_DEG = 360 / 65_536 / Math.sqrt(12);
const HEIGHT_STEP_SD_M = (25 * 0.3048) / Math.sqrt(12);
const EARTH_RADIUS_M = 6_371_000;
const DEG_PER_RAD = 180 / Math.PI;

const UNCONFIRMED_CONFIDENCE = 0.5;
const DOUBTFUL_CONFIDENCE = 0.3;

/** Classes by codes of item 030 (EUROCONTROL-SPEC-0149-4); `doubtfulCodes` make a target doubtful. */
const classOfCode: Readonly<Record<number, Classification>> = {
  6: { type: 'vehicle', confidence: 0.6 },
  19: { type: 'bird', confidence: 0.8 },
  20: { type: 'bird', confidence: 0.8 },
  24: { type: 'helicopter', confidence: 0.7 },
};
const doubtfulCodes: ReadonlySet<number> = new Set([13, 23]);

/**
 * Fills in a radar plot as range and bearing from its radar. `complete` fills in the standard deviations that the
 * sensor declares. They are raised to at least the standard deviation of the quantisation.
 */
export function plotObservation(
  observation: Observation,
  plot: RadarPlot,
  placement: Placement | null,
  complete: (observation: Observation) => void,
): void {
  observation.report = 'range_bearing';
  observation.rangeM = plot.rangeM;
  observation.azimuthDeg = plot.azimuthDeg;
  observation.altMslM = plot.altMslM;
  observation.elevationDeg = elevationOf(plot, placement);
  observation.speedMps = plot.speedMps;
  observation.courseDeg = plot.courseDeg;
  observation.rssiDbm = plot.rssiDbm;
  observation.identities = identitiesOf(plot);
  observation.classification = plot.codes.flatMap((code) => classOfCode[code] ?? []).slice(0, 1);
  observation.confidence = confidenceOf(plot);
  complete(observation);
  observation.sigmaRangeM = Math.max(observation.sigmaRangeM ?? RANGE_SD_M, RANGE_STEP_SD_M);
  observation.sigmaAzimuthDeg = Math.max(observation.sigmaAzimuthDeg ?? AZIMUTH_SD_DEG, AZIMUTH_STEP_SD_DEG);
  if (observation.elevationDeg === null) observation.sigmaElevationDeg = null;
  else observation.sigmaElevationDeg = elevationSdOf(observation);
}

/**
 * Returns the standard deviation of the elevation, degrees: the sensor's own, or `AZIMUTH_SD_DEG` if it has none. It is
 * at least the angle under which the radar sees the quantisation error of the height.
 */
function elevationSdOf({ rangeM, elevationDeg, sigmaElevationDeg }: Observation): number {
  const acrossM = Math.max(1, (rangeM ?? 0) * Math.cos((elevationDeg ?? 0) / DEG_PER_RAD));
  const stepDeg = Math.atan2(HEIGHT_STEP_SD_M, acrossM) * DEG_PER_RAD;
  return Math.max(sigmaElevationDeg ?? AZIMUTH_SD_DEG, stepDeg);
}

/**
 * Returns the elevation of a target with this range and height over a spherical earth, degrees. Solves the triangle of
 * the earth's centre, the radar and the target. Null if the range, the radar's height or the target's height is
 * unknown, or if the three lengths form no triangle.
 */
function elevationOf({ rangeM, altMslM }: RadarPlot, placement: Placement | null): number | null {
  if (placement?.alt_hae_m === undefined || rangeM === null || altMslM === null) return null;
  const radarM = EARTH_RADIUS_M + placement.alt_hae_m;
  const targetM = EARTH_RADIUS_M + haeOfMsl(altMslM, placement.lat, placement.lon);
  const sine = (targetM * targetM - radarM * radarM - rangeM * rangeM) / (2 * rangeM * radarM);
  return Math.abs(sine) > 1 ? null : Math.asin(sine) * DEG_PER_RAD;
}

function identitiesOf({ icao24, callsign }: RadarPlot): Identity[] {
  const identities: Identity[] = [];
  if (icao24 !== null) identities.push({ type: 'icao24', value: icao24, transport: 'network' });
  if (callsign !== null) identities.push({ type: 'callsign', value: callsign, transport: 'network' });
  return identities;
}

function confidenceOf({ codes, isConfirmed }: RadarPlot): number | null {
  if (codes.some((code) => doubtfulCodes.has(code))) return DOUBTFUL_CONFIDENCE;
  return isConfirmed === false ? UNCONFIRMED_CONFIDENCE : null;
}
