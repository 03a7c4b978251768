import type { MavlinkGlobalPosition } from '../wire/message.ts';

/** Positions that follow the last one sooner add nothing to a track: vehicles are asked for one in 200 ms, and come with jitter. */
const SOON_MS = 140;
/** What came so much later is taken, whatever the vehicle's clock says. */
const LATE_MS = 1_000;
/** What lies so far from where the last one led, or flies so much otherwise, says something else, and is always heard. */
const BESIDE_M = 10;
const OTHERWISE_MPS = 3;
const METRES_PER_DEGREE = 111_194;

/** What a position is judged by: where and when it held by the clock of who sent it, and who that was. */
type Told = Pick<
  MavlinkGlobalPosition,
  'timeBootMs' | 'signed' | 'latDeg' | 'lonDeg' | 'altMslM' | 'vNorthMps' | 'vEastMps' | 'vDownMps'
>;

/**
 * Which of the positions that a vehicle tells of itself become observations; whoever steers it hears them all. It goes by the
 * vehicle's own clock, so that what comes late and in bursts is judged by when it held, and where that stands still by ours. Only
 * what the last one said already is left out: of two who say to be one system, each at his place, both are heard.
 */
export class PositionPace {
  #last: { told: Told; from: string; atMs: number } | null = null;

  /** Whether this one is taken, which is noted. One without a place is, and says nothing of others. */
  isDue(told: Told, from: string, atMs: number): boolean {
    if (told.latDeg === null || told.lonDeg === null) return true;
    const last = this.#last;
    const isSame = last?.from === from && last.told.signed === told.signed;
    if (isSame && isSoon(told.timeBootMs - last.told.timeBootMs, atMs - last.atMs) && saysTheSame(told, last.told))
      return false;
    this.#last = { told, from, atMs };
    return true;
  }
}

function isSoon(bootMs: number, arrivedMs: number): boolean {
  const sinceMs = bootMs === 0 ? arrivedMs : bootMs;
  return sinceMs >= 0 && sinceMs < SOON_MS && arrivedMs < LATE_MS;
}

/** Over so short a time and way the earth is flat. */
function saysTheSame(told: Told, last: Told): boolean {
  const sinceS = (told.timeBootMs - last.timeBootMs) / 1000;
  const latDeg = last.latDeg ?? Number.NaN;
  const eastPerDegree = METRES_PER_DEGREE * Math.cos((latDeg * Math.PI) / 180);
  const apart = [
    ((told.latDeg ?? Number.NaN) - latDeg) * METRES_PER_DEGREE - last.vNorthMps * sinceS,
    ((told.lonDeg ?? Number.NaN) - (last.lonDeg ?? Number.NaN)) * eastPerDegree - last.vEastMps * sinceS,
    told.altMslM - last.altMslM + last.vDownMps * sinceS,
  ];
  const turned = [told.vNorthMps - last.vNorthMps, told.vEastMps - last.vEastMps, told.vDownMps - last.vDownMps];
  return Math.hypot(...apart) < BESIDE_M && Math.hypot(...turned) < OTHERWISE_MPS;
}
