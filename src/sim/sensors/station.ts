import type { LinkSpec } from '../../model/link.ts';
import type { ScenarioSensor } from '../../model/scenario.ts';
import type { SensorSpec } from '../../model/sensor.ts';
import { seedFor } from '../kernel/chance.ts';
import type { Heap } from '../kernel/heap.ts';
import type { Site } from '../kernel/site.ts';
import { lies } from '../kernel/spans.ts';
import { sensorLink } from '../wire/link_specs.ts';
import { Seeing } from './seeing.ts';

/** Bytes that arrive on one of the engine's links at world time `atMs`. */
export type SimFrame = { link: string; from: string; bytes: Uint8Array; atMs: number };

/** `sent` contains the frames that have not arrived yet, sorted by their time of arrival. */
export type StationDeps = { site: Site; seed: number; beginMs: number; sent: Heap<SimFrame> };

/** Common part of all sensors: position, coverage, and a link with latency and outages. */
export class Station {
  readonly spec: ScenarioSensor;
  readonly link: LinkSpec;
  readonly seeing: Seeing;
  readonly seed: number;
  readonly #deps: StationDeps;
  readonly #latencyMs: number;
  /** Scenario time of the sensor's last message, s. A sensor without detections sends signs of life. */
  sentS = Number.NEGATIVE_INFINITY;

  constructor(spec: ScenarioSensor, deps: StationDeps) {
    this.spec = spec;
    this.link = sensorLink(spec);
    this.seeing = new Seeing(spec.placement, deps.site);
    this.seed = seedFor(deps.seed, 'sensor', spec.id);
    this.#deps = deps;
    this.#latencyMs = Math.round(spec.latency_s * 1000);
  }

  isDown(atS: number): boolean {
    return lies(atS, this.spec.outages);
  }

  /** Sends bytes of a measurement that was made at `atS`. A message that would arrive during an outage is lost too. */
  send(bytes: Uint8Array, atS: number): void {
    const { sent, beginMs } = this.#deps;
    const atMs = beginMs + Math.round(atS * 1000) + this.#latencyMs;
    if (this.isDown(atS) || this.isDown((atMs - beginMs) / 1000)) return;
    this.sentS = atS;
    sent.add(atMs, { link: this.link.name, from: this.spec.id, bytes, atMs });
  }

  utcMs(atS: number): number {
    return this.#deps.beginMs + Math.round(atS * 1000);
  }

  /** Returns the declaration of the sensor in the world. */
  declaration(): SensorSpec {
    const { id: name, modality, heartbeat_s } = this.spec;
    const { latDeg: lat, lonDeg: lon, altHaeM: alt_hae_m } = this.seeing.position;
    const { azimuth_deg, hfov_deg, min_range_m, max_range_m } = this.spec.placement;
    const covers = { azimuth_deg, hfov_deg, min_range_m, max_range_m };
    return { name, modality, placement: { lat, lon, alt_hae_m, ...covers, mount: 'fixed' }, heartbeat_s };
  }
}
