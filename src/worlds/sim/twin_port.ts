import type { PlatformPerformance } from '../../model/performance.ts';
import type { ScenarioActor, ScenarioSpec } from '../../model/scenario.ts';
import type { Wind } from './flight/wind.ts';

/** What the engine needs to know of one of our own vehicles. */
export type SimTwinFacts = { actorId: string; name: string; link: string };

/** One of our own vehicles, as the engine flies it: it moves itself, and its bytes go over a link of its own. */
export type SimTwin<Facts extends SimTwinFacts = SimTwinFacts> = {
  readonly facts: Facts;
  step(atMs: number, dtS: number, wind: Wind): void;
  /** What it has sent until now, and was not asked for before. */
  take(): Uint8Array[];
  hear(bytes: Uint8Array, atMs: number): void;
  /** In the site's axes; up is above the ground of its origin. */
  state(): {
    eastM: number;
    northM: number;
    upM: number;
    eastMps: number;
    northMps: number;
    upMps: number;
    airborne: boolean;
  };
};

export type TwinRim = {
  random(): number;
  groundAltHaeM: number;
  origin: ScenarioSpec['origin'];
  beginMs: number;
};

export type MakeTwin<Facts extends SimTwinFacts = SimTwinFacts> = (
  actor: ScenarioActor,
  performance: PlatformPerformance,
  rim: TwinRim,
) => SimTwin<Facts>;
