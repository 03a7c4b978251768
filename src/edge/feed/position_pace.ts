import type { MavlinkGlobalPosition } from '../wire/message.ts';

/** Repeats of a position within this interval are skipped, ms. Vehicles send one each 200 ms; jitter shortens that. */
const SOON_MS = 140;
/** A position that arrives this much later is taken, whatever the vehicle's clock says. */
const LATE_MS = 1_000;
/** A position this far from the extrapolation of the last one, or this much off its velocity, is always taken. */
const BESIDE_M = 10;
const OTHERWISE_MPS = 3;
const METRES_PER_DEGREE = 111_194;

/** Fields that a position is judged by: place, velocity, the sender's clock, and the sender. */
type Reported = Pick<
  MavlinkGlobalPosition,
  'timeBootMs' | 'signed' | 'latDeg' | 'lonDeg' | 'altMslM' | 'vNorthMps' | 'vEastMps' | 'vDownMps'
>;

/**
 * Selects the reported positions of a vehicle that become observations; guidance gets all of them. Times are those of
 * the vehicle's own clock, so that late and bunched messages are judged by the time of their measurement. Our clock
 * replaces one that reports zero. Only repeats of the last position are left out. Two senders that claim one system at
 * different places both pass.
 */
export class PositionPace {
  #last: { reported: Reported; from: string; atMs: number } | null = null;

  /**
   * True where a position is to be taken; it is then remembered as the last. A report without a position always passes
   * and is not remembered.
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

/** True where a position is close to the extrapolation of the last one. Over so short a distance a flat earth suffices. */
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
