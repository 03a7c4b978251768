import type { ScenarioSensor } from '../../model/scenario.ts';
import { modalityTraits } from '../../model/sensor.ts';
import { FLYING } from '../aircraft/flight/air.ts';
import { Chance, keyOf, seedFor } from '../kernel/chance.ts';
import { lies } from '../kernel/spans.ts';
import type { Member } from '../population/member.ts';
import { ObsLines, type Plot } from '../wire/obs_lines.ts';
import { detectionAt } from './seeing.ts';
import type { Sky } from './sky.ts';
import type { Station } from './station.ts';

const DEGREE = Math.PI / 180;
/**
 * Least size of a target that a ranging sensor detects up to its maximum range, m. For smaller targets the range falls
 * with the square root of the size.
 */
const REFERENCE_SIZE_M = 0.4;
/** Greatest height above the sensor, m, and elevation, rad, of false plots. The lower of the two limits applies. */
const CLUTTER_HEIGHT_M = 300;
const CLUTTER_STEEPEST_RAD = 30 * DEGREE;

type Modality = Exclude<ScenarioSensor['modality'], 'remote_id' | 'adsb'>;
type Measures = { range: boolean; elevation: boolean };

function measuresOf({ modality, sigma }: ScenarioSensor): Measures {
  if (modality === 'camera') return { range: false, elevation: true };
  const { ranges } = modalityTraits[modality];
  return { range: ranges, elevation: ranges && sigma.elevation_deg !== undefined };
}

/** A scanning sensor: radar, direction finder, camera or microphones. It sends the rows of one scan as one chunk. */
export class Looker {
  readonly station: Station;
  readonly #modality: Modality;
  readonly #measures: Measures;
  readonly #lines: ObsLines;
  readonly #sigma: { rangeM: number; azimuthRad: number; elevationRad: number };
  readonly #chance = new Chance(0);
  readonly #clutterSeed: number;
  readonly #plots: Plot[] = [];
  #scans = 0;

  constructor(station: Station) {
    const { spec } = station;
    this.station = station;
    this.#modality = spec.modality as Modality;
    this.#measures = measuresOf(spec);
    const { range_m, azimuth_deg, elevation_deg = azimuth_deg } = spec.sigma;
    this.#lines = new ObsLines(spec.id, {
      rangeM: this.#measures.range ? range_m : null,
      azimuthDeg: azimuth_deg,
      elevationDeg: this.#measures.elevation ? elevation_deg : null,
    });
    this.#sigma = { rangeM: range_m, azimuthRad: azimuth_deg * DEGREE, elevationRad: elevation_deg * DEGREE };
    this.#clutterSeed = seedFor(station.seed, 'clutter');
  }

  /** Makes one scan over all members, and sends its plots. */
  scan(sky: Sky): void {
    const scan = this.#scans++;
    if (this.station.isDown(sky.atS)) return;
    this.#plots.length = 0;
    for (const member of sky.population.members) this.#lookAt(member, scan, sky);
    this.#clutter(scan);
    if (this.#plots.length > 0) {
      // Plots are sent in the order of their azimuth, as by a rotating antenna.
      this.#plots.sort((a, b) => a.azimuthRad - b.azimuthRad);
      this.station.send(this.#lines.plots(this.#plots, this.station.utcMs(sky.atS)), sky.atS);
    }
  }

  signOfLife(atS: number): Uint8Array {
    return this.#lines.life(this.station.utcMs(atS));
  }

  #lookAt(member: Member, scan: number, sky: Sky): void {
    const { seeing, spec, seed } = this.station;
    if (!this.#couldSee(member, sky) || !seeing.reaches(member.body, sky)) return;
    // The generator depends only on sensor, member and scan, so other members do not change the result.
    const chance = this.#chance.reset(keyOf(seed, member.seed, scan));
    if (chance.uniform() >= detectionAt(spec.pd, seeing.rangeM, this.#reachM(member))) return;
    const { range_m, azimuth_deg } = spec.bias;
    this.#plots.push({
      azimuthRad: seeing.azimuthRad + azimuth_deg * DEGREE + chance.normal() * this.#sigma.azimuthRad,
      elevationRad: this.#measures.elevation
        ? seeing.elevationRad + chance.normal() * this.#sigma.elevationRad
        : Number.NaN,
      rangeM: this.#measures.range ? seeing.rangeM + range_m + chance.normal() * this.#sigma.rangeM : Number.NaN,
    });
  }

  #couldSee(member: Member, sky: Sky): boolean {
    const state = sky.air.state[member.body];
    if (member.isGhost || lies(sky.atS, member.hidden)) return false;
    if (this.#modality !== 'rf') return state === FLYING && (this.#modality !== 'acoustic' || member.kind !== 'bird');
    // On the ground, direction finders receive only spoofers.
    return member.transmits && (state === FLYING || (member.kind === 'spoofer' && state !== 0));
  }

  #reachM({ sizeM }: Member): number {
    const { max_range_m } = this.station.spec.placement;
    return this.#measures.range ? max_range_m * Math.min(1, Math.sqrt(sizeM / REFERENCE_SIZE_M)) : max_range_m;
  }

  /** Adds false plots at random positions in the covered area. */
  #clutter(scan: number): void {
    const { false_per_scan, placement } = this.station.spec;
    if (false_per_scan === 0) return;
    const chance = this.#chance.reset(keyOf(this.#clutterSeed, 0, scan));
    const { azimuth_deg, hfov_deg, min_range_m, max_range_m } = placement;
    for (let left = chance.poisson(false_per_scan); left > 0; left--) {
      const rangeM = Math.sqrt(chance.between(min_range_m ** 2, max_range_m ** 2));
      const highest = Math.min(Math.atan2(CLUTTER_HEIGHT_M, rangeM), CLUTTER_STEEPEST_RAD);
      this.#plots.push({
        azimuthRad: (azimuth_deg + chance.between(-0.5, 0.5) * hfov_deg) * DEGREE,
        elevationRad: chance.between(0, highest),
        rangeM,
      });
    }
  }
}
