import type { LinkSpec } from '../../../model/link.ts';
import type { ScenarioSensor } from '../../../model/scenario.ts';
import type { Placement, SensorSpec } from '../../../model/sensor.ts';
import { seedFor } from '../chance.ts';
import type { Site } from '../site.ts';
import { lies } from '../spans.ts';
import { sensorLink } from '../wire/link_specs.ts';
import type { Post } from './post.ts';
import { Seeing } from './seeing.ts';

export type StationRim = { site: Site; seed: number; beginMs: number; post: Post };

/** What all sensors are: they stand somewhere, cover something, and have a link that may be down and is slow. */
export class Station {
  readonly spec: ScenarioSensor;
  readonly link: LinkSpec;
  readonly seeing: Seeing;
  readonly seed: number;
  readonly #rim: StationRim;
  readonly #latencyMs: number;
  /** When it sent last, s: what has nothing to tell gives a sign of life. */
  sentS = Number.NEGATIVE_INFINITY;

  constructor(spec: ScenarioSensor, rim: StationRim) {
    this.spec = spec;
    this.link = sensorLink(spec);
    this.seeing = new Seeing(spec.placement, rim.site);
    this.seed = seedFor(rim.seed, 'sensor', spec.id);
    this.#rim = rim;
    this.#latencyMs = Math.round(spec.latency_s * 1000);
  }

  isDown(atS: number): boolean {
    return lies(atS, this.spec.outages);
  }

  /** Hands over what was measured at a moment; what would arrive while the link is down is lost too. */
  send(bytes: Uint8Array, atS: number): void {
    const { post, beginMs } = this.#rim;
    const atMs = beginMs + Math.round(atS * 1000) + this.#latencyMs;
    if (this.isDown(atS) || this.isDown((atMs - beginMs) / 1000)) return;
    this.sentS = atS;
    post.send({ link: this.link.name, from: this.spec.id, bytes, atMs });
  }

  utcMs(atS: number): number {
    return this.#rim.beginMs + Math.round(atS * 1000);
  }

  /** As it is declared in the world. */
  declaration(name: string): SensorSpec {
    const { modality, heartbeat_s } = this.spec;
    return { name, modality, placement: this.#placement(), heartbeat_s };
  }

  #placement(): Placement {
    const { latDeg, lonDeg, altHaeM } = this.seeing;
    const { azimuth_deg, hfov_deg, min_range_m, max_range_m } = this.spec.placement;
    const covers = { azimuth_deg, hfov_deg, min_range_m, max_range_m };
    return { lat: latDeg, lon: lonDeg, alt_hae_m: altHaeM, ...covers, mount: 'fixed' };
  }
}
