import { haeOfMsl } from '../../geo/geoid.ts';
import type { Identity, Observation } from '../../model/observation.ts';
import { normaliseDeg } from '../../model/units.ts';
import type { MavlinkGlobalPosition } from '../wire/message.ts';
import { blankObservation } from './blank.ts';

const GNSS_SD_M = 3;
const GNSS_SD_V_M = 6;
const GNSS_SD_SPEED_MPS = 0.5;

/**
 * Reason why a position that a vehicle reports is no observation of this vehicle. `id_conflict`: the link already
 * accepts this vehicle from another address. `jump`: the vehicle cannot have flown there. `late`: the position is older
 * than the last. `no_fix`: there is no fix.
 */
export type TelemetryRefusal = 'id_conflict' | 'jump' | 'late' | 'no_fix';

/** Converts a vehicle's own position to an observation; null if it has no fix. */
export function telemetryObservation(
  message: MavlinkGlobalPosition,
  identity: Identity,
  sensorId: string,
  linkId: string,
  receivedMs: number,
): Observation | null {
  const { latDeg, lonDeg } = message;
  if (latDeg === null || lonDeg === null) return null;
  const observation = blankObservation(sensorId, linkId, receivedMs);
  observation.report = 'position';
  observation.identities = [identity];
  observation.latDeg = latDeg;
  observation.lonDeg = lonDeg;
  observation.altMslM = message.altMslM;
  observation.altHaeM = haeOfMsl(message.altMslM, latDeg, lonDeg);
  observation.heightTakeoffM = message.relativeAltM;
  observation.sigmaHM = GNSS_SD_M;
  observation.sigmaVM = GNSS_SD_V_M;
  observation.sigmaSpeedMps = GNSS_SD_SPEED_MPS;
  observation.speedMps = Math.hypot(message.vNorthMps, message.vEastMps);
  observation.courseDeg = normaliseDeg((Math.atan2(message.vEastMps, message.vNorthMps) * 180) / Math.PI);
  observation.climbMps = -message.vDownMps;
  return observation;
}
