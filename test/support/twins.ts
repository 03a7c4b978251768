import type { Test } from 'tap';
import { createMavlinkCodec } from '../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import type { Payload } from '../../src/edge/wire/mavlink/write.ts';
import type { MavlinkMessage } from '../../src/edge/wire/message.ts';
import type { PlatformPerformance } from '../../src/model/performance.ts';
import { type ScenarioActor, scenarioActorSchema } from '../../src/model/scenario.ts';
import type { Wind } from '../../src/sim/aircraft/flight/wind.ts';
import {
  SimulatedVehicle,
  type SimulatedVehicleDeps,
  type SimulatedVehicleState,
} from '../../src/sim/vehicles/simulated_vehicle.ts';
import { Air, type AirVehicle } from './air.ts';
import { randomFrom } from './random.ts';
import { moved, type Point } from './vehicles/flight.ts';

export const ORIGIN = { lat: 52, lon: 4 };
export const GROUND_HAE_M = 45;

/** An asset of a scenario with an autopilot, as its schema fills it in. */
export function twinActor(told: object = {}): ScenarioActor {
  return scenarioActorSchema.parse({
    ...{ id: 'heron', kind: 'asset', start: { east_m: 0, north_m: 0 }, mavlink: {} },
    ...told,
  });
}

export function twinOf(
  told: object = {},
  performance: PlatformPerformance = {},
  deps: Partial<SimulatedVehicleDeps> = {},
): SimulatedVehicle {
  const usual = { random: randomFrom(1), groundAltHaeM: GROUND_HAE_M, origin: ORIGIN, beginMs: 1_000_000 };
  return new SimulatedVehicle(twinActor(told), performance, { ...usual, ...deps });
}

/** A twin in the air of a test, on a link in memory with our own codec at its end. */
export class FlownTwin implements AirVehicle {
  readonly twin: SimulatedVehicle;
  readonly sysid: number;
  readonly killedByNaN = null;
  readonly crashed = false;
  wind: Wind = { eastMps: 0, northMps: 0 };
  /** All frames, both ways, in their order. */
  readonly bytes: Uint8Array[] = [];
  readonly heard: MavlinkMessage[] = [];
  readonly #air: Air;
  readonly #codec = createMavlinkCodec({ datagrams: true });

  constructor(air: Air, twin: SimulatedVehicle) {
    this.#air = air;
    this.twin = twin;
    this.sysid = twin.facts.sysid;
    const encoder = new MavlinkEncoder({ sysid: 245, compid: 190 });
    air.linkTo(twin.facts.link, {
      transmit: async (payload: Payload) => {
        const frame = encoder.encode(payload);
        this.bytes.push(frame);
        twin.receive(frame, air.nowMs);
      },
    });
  }

  async start(): Promise<void> {}

  stop(): void {}

  tick(dtS: number): void {
    const { twin } = this;
    twin.step(this.#air.nowMs, dtS, this.wind);
    for (const frame of twin.take()) {
      this.bytes.push(frame);
      this.#codec.decode(frame, '', this.#air.nowMs, (message) => {
        this.heard.push(message);
        this.#air.rig.fleet.take(twin.facts.link, message, '', this.#air.nowMs);
      });
    }
  }

  get state(): SimulatedVehicleState {
    return this.twin.state();
  }

  get speedMps(): number {
    return Math.hypot(this.state.eastMps, this.state.northMps);
  }

  apartM(eastM: number, northM: number): number {
    return Math.hypot(this.state.eastM - eastM, this.state.northM - northM);
  }
}

export type TwinUp = { air: Air; flown: FlownTwin; id: string };

/** A twin that is adopted and stands where its actor has it. */
export async function twinReady(t: Test, told: object = {}, performance: PlatformPerformance = {}): Promise<TwinUp> {
  const air = new Air(t);
  const flown = new FlownTwin(air, twinOf(told, performance));
  return { air, flown, id: await air.adopt(flown, flown.twin.facts.name, performance) };
}

/** A place of the scenario on the earth. */
export function at(eastM: number, northM: number): Point {
  return moved(ORIGIN, northM, eastM);
}
