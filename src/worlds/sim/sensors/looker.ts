import type { ScenarioSensor } from '../../../model/scenario.ts';
import { Chance, keyOf, seedFor } from '../chance.ts';
import { FLYING } from '../flight/air.ts';
import type { Member } from '../member.ts';
import { ObsLines, type Plot } from '../wire/obs_lines.ts';
import { detectionAt } from './seeing.ts';
import type { Sky } from './sky.ts';
import type { Station } from './station.ts';

const DEGREE = Math.PI / 180;
/** Of this size a radar sees as far as its range says; how far it sees grows with the root of the size. */
const REFERENCE_SIZE_M = 0.4;
/** False plots lie no higher than this over the ground, nor steeper. */
const CLUTTER_HEIGHT_M = 300;
const CLUTTER_STEEPEST_RAD = 30 * DEGREE;

type Modality = Exclude<ScenarioSensor['modality'], 'remote_id' | 'adsb'>;
type Measures = { range: boolean; elevation: boolean };

function measuresOf({ modality, sigma }: ScenarioSensor): Measures {
  if (modality === 'camera') return { range: false, elevation: true };
  return { range: modality === 'radar', elevation: modality === 'radar' && sigma.elevation_deg !== undefined };
}

/** What looks or listens by itself: radar, direction finder, camera, microphones. One scan is one chunk of rows. */
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

  /** One look at everything. */
  scan(sky: Sky): void {
    const scan = this.#scans++;
    if (this.station.isDown(sky.atS)) return;
    this.#plots.length = 0;
    for (const member of sky.stage.members) this.#lookAt(member, scan, sky);
    this.#clutter(scan);
    if (this.#plots.length > 0) {
      // As it turns: what stands first in the scenario is not first in the scan.
      this.#plots.sort((a, b) => a.azimuthRad - b.azimuthRad);
      this.station.send(this.#lines.plots(this.#plots, this.station.utcMs(sky.atS)), sky.atS);
    }
  }

  /** A row that says nothing but that it lives. */
  live(sky: Sky): void {
    this.station.send(this.#lines.life(this.station.utcMs(sky.atS)), sky.atS);
  }

  #lookAt(member: Member, scan: number, sky: Sky): void {
    const { body } = member;
    if (!this.#couldSee(member, sky)) return;
    const { seeing, spec, seed } = this.station;
    const [eastM, northM, heightM] = [sky.eastM(body), sky.northM(body), sky.heightM(body)];
    seeing.look(eastM, northM, sky.site.upOf(eastM, northM, heightM));
    if (!seeing.covers(heightM)) return;
    // Drawn from what the pair and the scan are, so that somebody else in the sky changes nothing.
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
    if (member.isGhost || sky.stage.isHidden(member, sky.atS)) return false;
    if (this.#modality !== 'rf') return state === FLYING && (this.#modality !== 'acoustic' || member.kind !== 'bird');
    // Who stands on the ground transmits nothing yet, or no more; but for what was put there to.
    return member.transmits && (state === FLYING || (member.kind === 'spoofer' && state !== 0));
  }

  #reachM({ sizeM }: Member): number {
    const { max_range_m } = this.station.spec.placement;
    return this.#modality === 'radar' ? max_range_m * Math.min(1, Math.sqrt(sizeM / REFERENCE_SIZE_M)) : max_range_m;
  }

  /** Plots of nothing: anywhere over the ground that is covered. */
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
