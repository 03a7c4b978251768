import type { Seeing, SensorValue } from '../../../src/core/tracking/settings.ts';
import type { Identity } from '../../../src/model/observation.ts';
import type { Dossier } from '../../../src/model/observation_row.ts';
import { OBSERVED, OBSERVED_KIND } from '../../../src/model/rows/layouts.ts';
import type { RowValues } from '../../../src/model/rows/pack_row.ts';
import { randomFrom } from '../basics/random.ts';
import type { Flight } from './flight.ts';
import { added, type SiteAxes, type Vector } from './site_axes.ts';
import { columnsOf, type Eye, measured, nothing, radarSeeing } from './sky_sensor.ts';

/** Somebody who says who and where he is, by one source. */
export type Voice = { sensor: number; dossier: number; sdM: number; authentic: boolean };

type Told = { receivedS: number; row: Float64Array };

/**
 * A sky of the tests' own. Everything happens in the site's axes, and random numbers follow from the seed alone. Only
 * sensor reports are converted to packed observations at the site's place on earth.
 */
export class Sky {
  readonly site: SiteAxes;
  readonly sensors: SensorValue[] = [];
  readonly dossiers: Dossier[] = [];
  readonly random: () => number;
  readonly #told: Told[] = [];

  constructor(site: SiteAxes, seed: number) {
    this.site = site;
    this.random = randomFrom(seed);
  }

  normal(sd = 1): number {
    return sd * Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.random();
  }

  eye(at: Vector, more: Partial<Omit<Eye, 'seeing'>> & { seeing?: Partial<Seeing> } = {}): Eye {
    const index = this.sensors.length;
    const [latDeg, lonDeg, altHaeM] = this.site.toGeodetic(at);
    const seen = { ...radarSeeing, ...more.seeing };
    this.sensors.push({
      index,
      id: `eye-${index}`,
      cooperative: false,
      placement: { latDeg, lonDeg, altHaeM },
      seeing: seen,
    });
    const offset = { azimuthDeg: 0, rangeM: 0 };
    return { at, measures: 'place', sdDeg: 0.4, sdRangeM: 6, offset, ...more, index, seeing: seen, looks: 0 };
  }

  /** A source of claims; `fused` for another system's tracks. */
  ear(fused = false): number {
    const index = this.sensors.length;
    this.sensors.push({ index, id: `ear-${index}`, cooperative: true, fused, placement: null, seeing: null });
    return index;
  }

  voice(sensor: number, identities: Identity[], more: Partial<Voice> = {}): Voice {
    const dossier = this.dossiers.length;
    const rest = { classification: [], operator: null, takeoff: null, status: null };
    this.dossiers.push({ index: dossier, identities, ...rest });
    return { sensor, dossier, sdM: 5, authentic: false, ...more };
  }

  /** One look at everything that flies: its head, then what is seen and what is not there in one order by chance. */
  look(eye: Eye, atS: number, flights: readonly Flight[], lateS = 0.1): void {
    const seen = flights.filter(() => this.random() < eye.seeing.detection).map((flight) => flight(atS).place);
    const plots = seen.map((place) => measured(eye, place, (sd) => this.normal(sd)));
    const clutter = Math.floor(this.random() * (2 * eye.seeing.clutterPerScan + 1));
    for (let i = 0; i < clutter; i++)
      plots.splice(Math.floor(this.random() * (plots.length + 1)), 0, nothing(eye, this.random));
    const scan = eye.looks++;
    this.#tell(OBSERVED_KIND.scan, eye.index, atS, atS + lateS, { scan, plots: plots.length });
    for (const place of plots) this.plot(eye, atS, place, { look: scan, lateS });
  }

  /** A plot of a place, as the eye measures it. */
  plot(eye: Eye, atS: number, place: Vector, { look = -1, lateS = 0.1, emitter = -1 } = {}): void {
    const columns = columnsOf(eye, this.site.polarFrom(eye.at, place));
    this.#tell(OBSERVED_KIND.plot, eye.index, atS, atS + lateS, { ...columns, scan: look, emitter });
  }

  /** The direction to an emitter, with the eye's error. */
  bearing(eye: Eye, atS: number, place: Vector, emitter: number): void {
    this.plot(
      eye,
      atS,
      measured(eye, place, (sd) => this.normal(sd)),
      { emitter },
    );
  }

  /** Somebody says where it is, with the error that it declares. */
  claim(voice: Voice, atS: number, flight: Flight, lateS = 0.2): void {
    const { place: true_, velocity } = flight(atS);
    const place = added(true_, [this.normal(voice.sdM), this.normal(voice.sdM), this.normal(voice.sdM)]);
    const [azimuthOrLatDeg, elevationOrLonDeg, rangeOrAltHaeM] = this.site.toGeodetic(place);
    const [eastMps, northMps, upMps] = this.site.turnedTo(place, velocity);
    const { sensor, dossier: claim, sdM, authentic } = voice;
    const speeds = { eastMps, northMps, upMps, sdSpeedMps: 1, sdClimbMps: 1 };
    this.#tell(OBSERVED_KIND.position, sensor, atS, atS + lateS, {
      ...speeds,
      ...{ azimuthOrLatDeg, elevationOrLonDeg, rangeOrAltHaeM },
      ...{ sdAzimuthDegOrHM: sdM, sdElevationDegOrVM: sdM },
      claim,
      authentic: authentic ? 1 : 0,
    });
  }

  word(voice: Voice, atS: number, lateS = 0.2): void {
    this.#tell(OBSERVED_KIND.word, voice.sensor, atS, atS + lateS, { claim: voice.dossier });
  }

  /** All that was told, a copy, in order of arrival and numbered in it; the order of telling where times are equal. */
  told(): Told[] {
    const ordered = [...this.#told].sort((x, y) => x.receivedS - y.receivedS);
    return ordered.map(({ receivedS, row }, i) => {
      const copy = row.slice();
      copy[OBSERVED.sequence] = i + 1;
      return { receivedS, row: copy };
    });
  }

  #tell(
    kind: number,
    sensor: number,
    timeS: number,
    receivedS: number,
    rest: Partial<RowValues<typeof OBSERVED>>,
  ): void {
    const row = new Float64Array(OBSERVED.width).fill(Number.NaN);
    const columns: typeof rest = {
      claim: -1,
      scan: -1,
      emitter: -1,
      authentic: 0,
      ...rest,
      kind,
      sensor,
      timeS,
      receivedS,
    };
    for (const [name, value] of Object.entries(columns)) row[OBSERVED[name as keyof typeof rest]] = value;
    this.#told.push({ receivedS, row });
  }
}
