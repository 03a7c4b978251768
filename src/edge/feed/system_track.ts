import { haeOfMsl } from '../../geo/geoid.ts';
import type { Observation } from '../../model/observation.ts';
import { normaliseDeg } from '../../model/units.ts';
import type { SystemTrack } from '../wire/asterix/message.ts';

/**
 * Standard deviations without a declared accuracy, m: of a position, a pressure altitude (with the error from the
 * weather) and a geometric height.
 */
const POSITION_SD_M = 50;
const PRESSURE_ALTITUDE_SD_M = 150;
const HEIGHT_SD_M = 50;
/**
 * Greatest speed and height of an aircraft in a civil system. Greater values show that the record is decoded wrongly.
 */
const MOST_SPEED_MPS = 1_100;
const MOST_HEIGHT_M = 40_000;
const UNCONFIRMED_CONFIDENCE = 0.5;

export function isPlausibleTrack({ latDeg, lonDeg, eastMps, northMps, altHaeM, altPressureM }: SystemTrack): boolean {
  if (latDeg === null || lonDeg === null || Math.abs(latDeg) > 90 || Math.abs(lonDeg) > 180) return false;
  if (Math.hypot(eastMps ?? 0, northMps ?? 0) > MOST_SPEED_MPS) return false;
  return [altHaeM, altPressureM].every((altM) => altM === null || Math.abs(altM) <= MOST_HEIGHT_M);
}

/** Fills in the position and velocity of another system's track, and the identities besides its track number. */
export function trackObservation(observation: Observation, track: SystemTrack): void {
  observation.report = 'position';
  observation.latDeg = track.latDeg;
  observation.lonDeg = track.lonDeg;
  observation.sigmaHM = sigmaOf(track);
  setHeight(observation, track);
  observation.climbMps = track.climbMps;
  if (track.eastMps !== null && track.northMps !== null) {
    observation.speedMps = Math.hypot(track.eastMps, track.northMps);
    observation.courseDeg = normaliseDeg((Math.atan2(track.eastMps, track.northMps) * 180) / Math.PI);
  }
  const { icao24, callsign } = track;
  if (icao24 !== null) observation.identities.push({ type: 'icao24', value: icao24, transport: 'network' });
  if (callsign !== null) observation.identities.push({ type: 'callsign', value: callsign, transport: 'network' });
  if (!track.isConfirmed) observation.confidence = UNCONFIRMED_CONFIDENCE;
}

function sigmaOf({ sigmaXM, sigmaYM }: SystemTrack): number {
  return sigmaXM === null && sigmaYM === null ? POSITION_SD_M : Math.max(sigmaXM ?? 0, sigmaYM ?? 0, 1);
}

/**
 * Sets the geometric height if the track has one. Otherwise uses its pressure altitude as height above mean sea
 * level.
 */
function setHeight(observation: Observation, { altHaeM, altPressureM, sigmaVM, latDeg, lonDeg }: SystemTrack): void {
  if (altHaeM !== null) {
    observation.altHaeM = altHaeM;
    observation.sigmaVM = sigmaVM ?? HEIGHT_SD_M;
  } else if (altPressureM !== null) {
    observation.altMslM = altPressureM;
    observation.altHaeM = haeOfMsl(altPressureM, latDeg ?? 0, lonDeg ?? 0);
    observation.sigmaVM = PRESSURE_ALTITUDE_SD_M;
  }
}
