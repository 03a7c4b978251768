import type { MavlinkGlobalPosition } from '../edge/wire/message.ts';
import type { Received, Vehicle } from './vehicle.ts';

/** Value of GPS_FIX_TYPE below which the receiver has no position fix. */
const FIX_2D = 2;
/** Greatest age of a GPS_RAW_INT or EKF_STATUS_REPORT message that is used, ms. Both are sent once a second. */
const SAID_WITHIN_MS = 10_000;
/**
 * Distance from 0, 0 within which a position counts as blank, degrees. Until it has a fix, ArduPlane reports a position
 * 11 m to 33 m from 0, 0 (lat 1046 to 2954, lon -54, in 1e-7 degrees).
 */
const NEAR_ZERO_DEG = 0.01;

/** Returns why the positions that a vehicle reports are not valid now; null if they are valid. */
export function whyNoPlace({ fixType, hasEkfPosition }: Vehicle, nowMs: number): string | null {
  if (isFresh(fixType, nowMs) && fixType.value < FIX_2D) return 'the GPS receiver of the vehicle has no fix';
  if (isFresh(hasEkfPosition, nowMs) && !hasEkfPosition.value)
    return 'the EKF of the vehicle has no horizontal position';
  return null;
}

function isFresh<T>(received: Received<T> | null, nowMs: number): received is Received<T> {
  return received !== null && nowMs - received.atMs <= SAID_WITHIN_MS;
}

/**
 * Whether a position near 0, 0 is reported without a known fix. Autopilots report such positions before they have a
 * fix.
 */
export function isBlankPlace(latDeg: number, lonDeg: number, fixType: Received<number> | null): boolean {
  if (Math.abs(latDeg) > NEAR_ZERO_DEG || Math.abs(lonDeg) > NEAR_ZERO_DEG) return false;
  return fixType === null || fixType.value < FIX_2D;
}

/** Returns the message without its coordinates. */
export function withoutPlace(position: MavlinkGlobalPosition): MavlinkGlobalPosition {
  return { ...position, latDeg: null, lonDeg: null };
}
