import type { Seeing, SensorValue } from '../../core/tracking/settings.ts';
import { LocalFrame } from '../../geo/local_frame.ts';
import { invalidInput } from '../../model/fault.ts';
import type { ObservationBatch } from '../../model/observation_row.ts';
import type { TrackingCore } from './core_maker.ts';
import type { DetectionLine } from './detection_line.ts';
import { type Figures, noFigures } from './figures.ts';
import { Packer } from './packer.ts';
import { ShownTracks, type TrackLine } from './shown_tracks.ts';
import type { Site, SiteSensor } from './site.ts';

/** Elevation limits of a sensor for which the site gives none, deg. */
const ELEVATION_DEG = [-5, 60] as const;

/** Returns the sensors of a site for the core, numbered in the order of the site file. */
export function sensorsOf(site: Site): SensorValue[] {
  return Object.entries(site.sensors).map(([id, sensor], index) => ({ index, id, ...viewOf(sensor) }));
}

function viewOf(sensor: SiteSensor): Omit<SensorValue, 'index' | 'id'> {
  if (sensor.kind === 'pos') return { cooperative: true, placement: null, seeing: null };
  const placement = { latDeg: sensor.lat, lonDeg: sensor.lon, altHaeM: sensor.alt };
  return { cooperative: false, placement, seeing: seeingOf(sensor) };
}

function seeingOf(sensor: Exclude<SiteSensor, { kind: 'pos' }>): Seeing {
  const isRadar = sensor.kind === 'polar3d' || sensor.kind === 'polar2d';
  const [from, to] = sensor.az_fov ?? [0, 360];
  // A sector may include north, so that `from` is greater than `to`.
  const azimuthWidthDeg = to >= from ? Math.min(360, to - from) : to - from + 360;
  return {
    ranges: isRadar,
    covers: sensor.kind !== 'bearing',
    detection: sensor.pd,
    clutterPerScan: sensor.clutter_per_scan,
    rangeM: [0, sensor.range_max],
    azimuthDeg: azimuthWidthDeg === 360 ? 0 : (((from + azimuthWidthDeg / 2) % 360) + 360) % 360,
    azimuthWidthDeg,
    elevationDeg: sensor.el_fov ?? ELEVATION_DEG,
    clutterRangeM: sensor.clutter_range ?? null,
    clutterElevationDeg: sensor.clutter_el ?? null,
    periodS: sensor.period,
    rotating: sensor.rotating ?? false,
  };
}

/** Interval of the picture, s. */
const STEP_S = 0.5;
/** Longest plausible gap in a scenario, s. A line after a longer gap has a wrong time and is refused. */
const LONGEST_GAP_S = 3_600;

export type ScenarioOptions = {
  site: Site;
  core: TrackingCore;
  /** Time for which a track is shown after its last observation, s. */
  showS: number;
  write(lines: readonly TrackLine[]): Promise<void> | void;
  onProgress(figures: Figures): void;
};

/**
 * Runs a core over a scenario. The picture of each half second contains exactly the reports that had arrived by then.
 */
export class Scenario {
  readonly figures: Figures = { ...noFigures };
  readonly #options: ScenarioOptions;
  readonly #packer: Packer;
  readonly #shown: ShownTracks;
  readonly #everShown = new Set<number>();
  #steps = 0;
  #latestS = 0;

  constructor(options: ScenarioOptions) {
    const { origin } = options.site;
    const frame = new LocalFrame(origin.lat, origin.lon, origin.alt_hae);
    this.#options = options;
    this.#packer = new Packer(options.site);
    this.#shown = new ShownTracks(frame, origin.alt_hae, options.showS);
    options.core.setSensors(sensorsOf(options.site));
  }

  /** Throws a Fault if a line does not fit this scenario: its sensor or its time is wrong. */
  check(line: DetectionLine): void {
    this.#packer.check(line);
    if (line.tr > this.#latestS + LONGEST_GAP_S)
      throw invalidInput(`'tr' is more than ${LONGEST_GAP_S} s after the latest 'tr' before this line`);
  }

  async take(line: DetectionLine): Promise<void> {
    // Pictures with a time before this line are written first, without this line.
    while (line.tr > this.#nextS) await this.#step();
    this.#packer.add(line);
    this.#latestS = Math.max(this.#latestS, line.tr);
    if (line.k === 'scan') this.figures.scans++;
    else this.figures.reports++;
  }

  /**
   * Continues to the end of the scenario: the latest arrival of a line, or `duration_s` of the site if that is later.
   * Does nothing if no line was taken.
   */
  async finish(): Promise<void> {
    if (this.figures.reports + this.figures.scans === 0) return;
    const endS = Math.max(this.#latestS, this.#options.site.duration_s ?? 0);
    while (this.#nextS < endS + STEP_S) await this.#step();
  }

  get #nextS(): number {
    return this.#steps * STEP_S;
  }

  async #step(): Promise<void> {
    const { core, write, onProgress } = this.#options;
    const [batch, atS] = [this.#packer.take(), this.#nextS];
    this.#receive(batch, atS);
    // A scan that moves every track leaves rows for further steps. These follow at once, before the next picture.
    while (core.rowsWait) this.#receive(this.#packer.take(), atS);
    this.#steps++;
    const lines = this.#shown.linesAt(atS);
    for (const { id } of lines) this.#everShown.add(id);
    this.figures.tracks = this.#everShown.size;
    this.figures.atS = atS;
    await write(lines);
    onProgress(this.figures);
  }

  #receive(batch: ObservationBatch, atS: number): void {
    const startMs = performance.now();
    const output = this.#options.core.step(batch, atS * 1000);
    this.figures.coreMs += performance.now() - startMs;
    this.#shown.take(output, atS);
    for (let i = 1; i < output.assigned.length; i += 2) if (output.assigned[i] !== 0) this.figures.updates++;
  }
}
