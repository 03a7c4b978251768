import { cpuUsage } from 'node:process';
import { emptySite, firstPolicy } from '../../src/core/assess/configuration.ts';
import { CoreRemote } from '../../src/core/thread/remote.ts';
import type { Observation } from '../../src/model/observation.ts';
import { RADAR_PLACE } from '../../test/support/sky/radar.ts';
import { RadarSky } from '../../test/support/sky/radar_sky.ts';
import { collectGarbage } from './garbage.ts';
import { quantile, type Row } from './row.ts';
import { observationsOf } from './tracker_observations.ts';
import { trackingSettings } from './tracker_setup.ts';

const SIDE_M = 9_600;
const WARM_S = 60;
const RUN_S = 300;
const MOST = 1_000;
const TARGET_MS = 5;
/** Remote ID reports of each aircraft a second, as in the reference. */
const FIXES_EACH = 0.8;
/** What arrives within so long is pushed in one turn of the event loop. */
const TURN_S = 0.02;

/** A turn's observations, and when they are all there. */
type Turn = { data: Observation[]; nowS: number };

/**
 * Measures the time of each step of the core in its worker, with the packing of its input. In the first case
 * observations arrive as in the field: a scan of the radar at once, Remote ID spread over the second. In the second
 * case the observations of a whole second arrive at once.
 */
export async function benchTrackerScan(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const aircraft of [10, 50, 200, MOST]) {
    const { steps, every, costs } = await measure(aircraft, asItComes);
    const name = `a step among ${aircraft} aircraft with Remote ID, as it comes`;
    const target = aircraft === MOST ? { target: { atMost: TARGET_MS } } : {};
    rows.push(
      { name: `${name}, median`, value: quantile(steps, 0.5), unit: 'ms' },
      { name: `${name}, p99`, value: quantile(steps, 0.99), unit: 'ms', ...target },
      { name: `${name}, longest`, value: quantile(steps, 1), unit: 'ms' },
      { name: `${name}, with steps that only assess what was left, p99`, value: quantile(every, 0.99), unit: 'ms' },
      { name: `${name}, CPU time of all threads a second`, value: sum(costs) / RUN_S, unit: 'ms' },
    );
  }
  const { steps, latencies } = await measure(MOST, allAtOnce);
  const name = `a second of ${MOST} aircraft with Remote ID at once`;
  return [
    ...rows,
    { name: `${name}, median`, value: quantile(steps, 0.5), unit: 'ms' },
    { name: `${name}, p99`, value: quantile(steps, 0.99), unit: 'ms' },
    { name: `${name}, until answered, median`, value: quantile(latencies, 0.5), unit: 'ms' },
    { name: `${name}, until answered, p99`, value: quantile(latencies, 0.99), unit: 'ms' },
  ];
}

async function measure(aircraft: number, cut: (look: Observation[], said: Observation[], nowS: number) => Turn[]) {
  const fixesPerS = FIXES_EACH * aircraft;
  const sky = new RadarSky({ aircraft, seed: aircraft, sideM: SIDE_M, speakers: aircraft, fixesPerS });
  const core = new RemoteCore(sky);
  await core.start();
  const [steps, latencies, costs]: [number[], number[], number[]] = [[], [], []];
  const every: number[] = [];
  let next = sky.second(0);
  for (let s = 0; s < WARM_S + RUN_S; s++) {
    // The look, and what the aircraft say until the next one: the radar waits for nothing more when it ends.
    const look = observationsOf(next, 'plot', 'radar');
    next = sky.second(s + 1);
    const turns = cut(look, observationsOf(next, 'position', 'remote-id'), sky.arrivalS(s + 1));
    collectGarbage({ onlyYoung: true });
    for (const { data, nowS } of turns) {
      const { stepMs, latencyMs, cpuMs } = await core.take(data, nowS);
      if (s < WARM_S) continue;
      steps.push(stepMs);
      latencies.push(latencyMs);
      costs.push(cpuMs);
    }
    const taken = core.takeSteps();
    if (s >= WARM_S) every.push(...taken);
  }
  await core.stop();
  return { steps, every, latencies, costs };
}

function allAtOnce(look: Observation[], said: Observation[], nowS: number): Turn[] {
  return [{ data: [...look, ...said], nowS }];
}

function asItComes(look: Observation[], said: Observation[], nowS: number): Turn[] {
  const turns: Turn[] = [];
  let waiting = look;
  for (let untilS = nowS - 1 + TURN_S; untilS < nowS + TURN_S / 2; untilS += TURN_S) {
    const came = said.filter(({ receivedMs }) => receivedMs <= untilS * 1000 && receivedMs > (untilS - TURN_S) * 1000);
    // A turn is told to be over by what was said in it: where nobody spoke, the look waits for the next.
    if (came.length > 0) turns.push({ data: [...waiting, ...came], nowS: untilS });
    if (came.length > 0) waiting = [];
  }
  return turns;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A core in its worker, in a world whose clock stands still while it works. */
class RemoteCore {
  readonly #remote: CoreRemote;
  #nowMs = 0;
  #last: Observation | undefined;
  #packedMs = 0;
  #answeredMs = 0;
  #tookMs = 0;
  /** Of all steps, also those that take nothing in: they assess what others left over. */
  #steps: number[] = [];
  #done: (answeredMs: number) => void = () => {};

  constructor(sky: RadarSky) {
    const sensors = sky.sensors();
    const settings = { ...trackingSettings(2 * MOST), origin: RADAR_PLACE };
    const beginning = {
      settings,
      seed: new Uint8Array(8),
      lastNumber: 0,
      sensors,
      restored: [],
      assess: { policy: firstPolicy, site: emptySite, words: [], rules: [], sensors: [] },
    };
    const indices = new Map(sensors.map(({ id, index }) => [id, index]));
    const fail = (sentence: string): never => {
      throw new Error(sentence);
    };
    this.#remote = new CoreRemote(
      () => beginning,
      (id) => indices.get(id) ?? -1,
      () => this.#nowMs,
      {
        // Packed, and not yet posted: a worker that wakes on this thread's processor would be counted twice.
        published: ({ kind }) => {
          if (kind === 'step' && Number.isNaN(this.#packedMs)) this.#packedMs = performance.now();
        },
        output: (_, tookMs) => {
          this.#answeredMs = performance.now();
          this.#tookMs = tookMs;
          this.#steps.push(tookMs);
        },
        // Told right after the output that answers it, so that the step counted last is the one that took it in.
        assigned: (observation) => {
          if (observation === this.#last) this.#done(this.#answeredMs);
        },
        restarted: fail,
        failed: fail,
      },
      () => () => {},
    );
  }

  start(): Promise<void> {
    return this.#remote.start();
  }

  stop(): Promise<void> {
    return this.#remote.stop();
  }

  /** What each step took there since it was asked last, whether or not anything was packed for it. */
  takeSteps(): number[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  /**
   * Pushes the observations that arrived until `nowS`. Resolves with the time of packing and stepping, the time from
   * the last push to the answer, and the total CPU time.
   */
  async take(observations: readonly Observation[], nowS: number): Promise<Taken> {
    this.#nowMs = nowS * 1000;
    this.#last = observations.at(-1);
    const answered = new Promise<number>((resolve) => {
      this.#done = resolve;
    });
    const before = cpuUsage();
    for (const observation of observations) this.#remote.push(observation);
    const pushedMs = performance.now();
    this.#packedMs = Number.NaN;
    // What is pushed is packed and sent in the next turn of the event loop, and the worker steps while this waits.
    const latencyMs = (await answered) - pushedMs;
    const { user, system } = cpuUsage(before);
    return { stepMs: this.#packedMs - pushedMs + this.#tookMs, latencyMs, cpuMs: (user + system) / 1000 };
  }
}

type Taken = { stepMs: number; latencyMs: number; cpuMs: number };
