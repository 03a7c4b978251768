import { geoidHeightM } from '../../geo/geoid.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import { METRES_PER_FOOT, MPS_PER_KNOT } from '../../model/units.ts';
import type { Chance } from '../kernel/chance.ts';

export type AdsbSpec = NonNullable<ScenarioActor['adsb']>;

/** Resolution of the altitude (ft) and the climb rate (ft/min) that transponders report. */
const ALTITUDE_STEP_FT = 25;
const CLIMB_STEP_FPM = 64;
/** Limits of the altitude field, ft. */
const [LEAST_FT, MOST_FT] = [-1_000, 126_700];
const CALLSIGN_EVERY_MS = 5_000;

type AdsbVoice = (place: Geodetic, courseDeg: number, speedMps: number, climbMps: number, airborne: boolean) => string;

/**
 * Creates a transponder. Each call returns the SBS-1 lines that a receiver writes about the aircraft: position,
 * velocity, and about every 5 s the call sign, if there is one.
 */
export function adsbVoice(spec: AdsbSpec, chance: Chance): AdsbVoice {
  const icao24 = spec.icao24 ?? (0x480000 + chance.below(0x8000)).toString(16);
  const head = `1,1,${icao24.toUpperCase()},1,,,,`;
  const callsignEvery = Math.max(1, Math.round(CALLSIGN_EVERY_MS / (spec.period_s * 1000)));
  let count = 0;
  return ({ latDeg, lonDeg, altHaeM }, courseDeg, speedMps, climbMps, airborne) => {
    const mslFt = (altHaeM - geoidHeightM(latDeg, lonDeg)) / METRES_PER_FOOT;
    const altitude = mslFt < LEAST_FT || mslFt > MOST_FT ? '' : Math.round(mslFt / ALTITUDE_STEP_FT) * ALTITUDE_STEP_FT;
    const ground = airborne ? '0' : '-1';
    let lines = `MSG,3,${head},,${altitude},,,${latDeg.toFixed(5)},${lonDeg.toFixed(5)},,,0,0,0,${ground}\n`;
    const knots = Math.round(speedMps / MPS_PER_KNOT);
    const fpm = Math.round(((climbMps / METRES_PER_FOOT) * 60) / CLIMB_STEP_FPM) * CLIMB_STEP_FPM;
    lines += `MSG,4,${head},,,${knots},${Math.round(courseDeg) % 360},,,${fpm},,0,0,0,${ground}\n`;
    if (count++ % callsignEvery === 0 && spec.callsign)
      lines += `MSG,1,${head},${spec.callsign},,,,,,,,0,0,0,${ground}\n`;
    return lines;
  };
}
