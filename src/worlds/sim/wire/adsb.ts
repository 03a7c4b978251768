import { geoidHeightM } from '../../../geo/geoid.ts';
import type { ScenarioActor } from '../../../model/scenario.ts';
import { METRES_PER_FOOT, MPS_PER_KNOT } from '../../../model/units.ts';
import type { Chance } from '../chance.ts';
import type { Geodetic } from '../site.ts';

export type AdsbSpec = NonNullable<ScenarioActor['adsb']>;

/** Transponders tell their altitude in steps of 25 ft, their climb of 64 ft/min. */
const ALTITUDE_STEP_FT = 25;
const CLIMB_STEP_FPM = 64;
/** What their altitude field holds. */
const [LEAST_FT, MOST_FT] = [-1_000, 126_700];
const CALLSIGN_EVERY_MS = 5_000;

/** What one transponder says, as the lines that a receiver makes of it (SBS-1). */
export class AdsbVoice {
  readonly spec: AdsbSpec;
  readonly #head: string;
  readonly #callsignEvery: number;
  #count = 0;

  constructor(spec: AdsbSpec, chance: Chance) {
    this.spec = spec;
    const icao24 = spec.icao24 ?? (0x480000 + chance.below(0x8000)).toString(16);
    this.#head = `1,1,${icao24.toUpperCase()},1,,,,`;
    this.#callsignEvery = Math.max(1, Math.round(CALLSIGN_EVERY_MS / (spec.period_s * 1000)));
  }

  /** The place, then the speed, and now and then the name. */
  speak(place: Geodetic, courseDeg: number, speedMps: number, climbMps: number, airborne: boolean): string {
    const { latDeg, lonDeg, altHaeM } = place;
    const mslFt = (altHaeM - geoidHeightM(latDeg, lonDeg)) / METRES_PER_FOOT;
    const altitude = mslFt < LEAST_FT || mslFt > MOST_FT ? '' : Math.round(mslFt / ALTITUDE_STEP_FT) * ALTITUDE_STEP_FT;
    const ground = airborne ? '0' : '-1';
    let lines = `MSG,3,${this.#head},,${altitude},,,${latDeg.toFixed(5)},${lonDeg.toFixed(5)},,,0,0,0,${ground}\n`;
    const knots = Math.round(speedMps / MPS_PER_KNOT);
    const fpm = Math.round(((climbMps / METRES_PER_FOOT) * 60) / CLIMB_STEP_FPM) * CLIMB_STEP_FPM;
    lines += `MSG,4,${this.#head},,,${knots},${Math.round(courseDeg) % 360},,,${fpm},,0,0,0,${ground}\n`;
    if (this.#count++ % this.#callsignEvery === 0 && this.spec.callsign)
      lines += `MSG,1,${this.#head},${this.spec.callsign},,,,,,,,0,0,0,${ground}\n`;
    return lines;
  }
}
