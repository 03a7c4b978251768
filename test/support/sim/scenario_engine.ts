import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { codecOf } from '../../../src/edge/feed/protocols.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { idOfName } from '../../../src/host/name_id.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { type ScenarioSpec, scenarioSpecSchema } from '../../../src/model/scenario.ts';
import type { SensorSpec } from '../../../src/model/sensor.ts';
import { Engine, type EngineDeps, type SimFrame } from '../../../src/sim/runs/engine.ts';

export const BEGIN_MS = Date.parse('2026-06-01T10:00:00.000Z');
const ORIGIN = { lat: 52.1, lon: 4.3, alt_hae_m: 45 };

/** A scenario with nothing in it but what is told; as a person would write it. */
export function scenarioOf(parts: Record<string, unknown>): ScenarioSpec {
  const body = { name: 'test', duration_s: 3_600, origin: ORIGIN, actors: [], sensors: [], ...parts };
  return scenarioSpecSchema.parse(body);
}

export const noCatalog: EngineDeps = { performanceOf: () => null };

export function engineOf(parts: Record<string, unknown>, seed = 1, deps: EngineDeps = noCatalog): Engine {
  return new Engine(scenarioOf(parts), seed, deps);
}

/** All that comes in `seconds`, asked for every 100 ms as a run does; `each` looks on after each. */
export function run(engine: Engine, seconds: number, each: (atS: number) => void = () => {}): SimFrame[] {
  const frames: SimFrame[] = [];
  for (let ms = 100; ms <= seconds * 1000; ms += 100) {
    frames.push(...engine.advance(BEGIN_MS + ms));
    each(ms / 1000);
  }
  return frames;
}

export const textOf = (frames: readonly SimFrame[]): string =>
  frames.map(({ link, atMs, bytes }) => `${atMs} ${link} ${Buffer.from(bytes).toString('hex')}`).join('\n');

/** Real codecs and real feeds of an engine's links: what they make of its bytes. */
export class Listening {
  readonly observations: Observation[] = [];
  readonly sensors = new SensorStatuses(
    (ms) => ms,
    () => 0,
  );
  readonly #ways: Map<string, (frame: SimFrame) => void>;
  readonly #codecs;
  readonly #feeds: LinkFeed[] = [];

  constructor(engine: Engine) {
    const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 100_000, maxSenders: 4_096 };
    const deps = {
      settings,
      sensors: this.sensors,
      sink: (observation: Observation) => void this.observations.push(observation),
    };
    const rows = new RowFeed(deps);
    const bursts = new Bursts();
    for (const spec of engine.sensors) this.#declare(spec, idOfName('sensor', spec.name));
    for (const { link, receiver, spec } of engine.linkSensors)
      this.#declare(spec, idOfName('sensor', idOfName('link', link), receiver));
    this.#codecs = engine.links.map((spec) => ({ spec, codec: codecOf(spec, { required: false, gate: () => null }) }));
    this.#ways = new Map(
      this.#codecs.map(({ spec, codec }) => {
        const { name, protocol } = spec;
        const link = { id: idOfName('link', name), name, protocol, maxMsgsPerS: 100_000, provesSender: false };
        const feed = new LinkFeed({ ...deps, link, rows, bursts }, BEGIN_MS);
        this.#feeds.push(feed);
        const take = ({ bytes, from, atMs }: SimFrame): void =>
          codec.decode(bytes, from, atMs, (message) => feed.take(message, from, atMs));
        return [spec.name, take];
      }),
    );
  }

  #declare({ name, modality, placement, heartbeat_s }: SensorSpec, id: string): void {
    const row = {
      id,
      name,
      modality,
      placement: placement ?? null,
      heartbeatS: heartbeat_s,
      declaredBy: 'manual',
    } as const;
    this.sensors.declare({ ...row, linkId: null, version: 1, createdAt: '', updatedAt: '' });
  }

  hear(frames: readonly SimFrame[]): this {
    for (const frame of frames) this.#ways.get(frame.link)?.(frame);
    return this;
  }

  /** What was refused by any codec or feed. */
  get refused(): number {
    const counts = this.#codecs.flatMap(({ codec }) => Object.values(codec.rejects));
    for (const { implausible, rateRejects } of this.#feeds) counts.push(implausible, rateRejects);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  ofSensor(name: string): Observation[] {
    const id = this.sensors.resolve(name)?.id;
    return this.observations.filter(({ sensorId }) => sensorId === id);
  }
}
