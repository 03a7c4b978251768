import type { MavlinkGlobalPosition } from '../wire/message.ts';

/**
 * Interval within which a position close to the extrapolated one is skipped, ms. It is below the 200 ms at which
 * vehicles send positions, because jitter shortens some intervals.
 */
const SOON_MS = 140;
/** Interval between arrivals after which a position is always accepted, whatever the vehicle's clock shows, ms. */
const LATE_MS = 1_000;
/**
 * Distance from the extrapolated position, m, and difference of velocity, m/s, from which a position is always
 * accepted.
 */
const BESIDE_M = 10;
const OTHERWISE_MPS = 3;
const METRES_PER_DEGREE = 111_194;

/** Fields that the selection compares: position, velocity, the sender's clock and the signature. */
type Reported = Pick<
  MavlinkGlobalPosition,
  'timeBootMs' | 'signed' | 'latDeg' | 'lonDeg' | 'altMslM' | 'vNorthMps' | 'vEastMps' | 'vDownMps'
>;

/**
 * Selects which of a vehicle's reported positions become observations; guidance gets all positions. Times are compared
 * by the vehicle's own clock, so that late and bunched messages count by the time of their measurement. If that clock
 * has not advanced since the last position, the times of arrival are compared. Only positions close to the
 * extrapolation of the last one are skipped. A position from another address than the last one, or signed unlike
 * it, is always accepted, because two senders may claim one system.
 */
export class PositionPace {
  #last: { reported: Reported; from: string; atMs: number } | null = null;

  /**
   * True if a position is accepted; it is then kept as the last one. A report without a position is always
   * accepted and not kept.
   */
  isDue(reported: Reported, from: string, atMs: number): boolean {
    if (reported.latDeg === null || reported.lonDeg === null) return true;
    const last = this.#last;
    const isSame = last?.from === from && last.reported.signed === reported.signed;
    if (
      isSame &&
      isSoon(reported.timeBootMs - last.reported.timeBootMs, atMs - last.atMs) &&
      saysTheSame(reported, last.reported)
    )
      return false;
    this.#last = { reported, from, atMs };
    return true;
  }
}

function isSoon(bootMs: number, arrivedMs: number): boolean {
  const sinceMs = bootMs === 0 ? arrivedMs : bootMs;
  return sinceMs >= 0 && sinceMs < SOON_MS && arrivedMs < LATE_MS;
}

/**
 * True if a position and velocity are close to the extrapolation of the last ones. The distance is short enough for a
 * flat earth.
 */
function saysTheSame(reported: Reported, last: Reported): boolean {
  const sinceS = (reported.timeBootMs - last.timeBootMs) / 1000;
  const latDeg = last.latDeg ?? Number.NaN;
  const eastPerDegree = METRES_PER_DEGREE * Math.cos((latDeg * Math.PI) / 180);
  const apart = [
    ((reported.latDeg ?? Number.NaN) - latDeg) * METRES_PER_DEGREE - last.vNorthMps * sinceS,
    ((reported.lonDeg ?? Number.NaN) - (last.lonDeg ?? Number.NaN)) * eastPerDegree - last.vEastMps * sinceS,
    reported.altMslM - last.altMslM + last.vDownMps * sinceS,
  ];
  const turned = [
    reported.vNorthMps - last.vNorthMps,
    reported.vEastMps - last.vEastMps,
    reported.vDownMps - last.vDownMps,
  ];
  return Math.hypot(...apart) < BESIDE_M && Math.hypot(...turned) < OTHERWISE_MPS;
}
