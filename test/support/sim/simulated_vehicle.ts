import type { Test } from 'tap';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import type { Payload } from '../../../src/edge/wire/mavlink/write.ts';
import type { MavlinkMessage } from '../../../src/edge/wire/message.ts';
import type { PlatformPerformance } from '../../../src/model/performance.ts';
import { type ScenarioActor, scenarioActorSchema } from '../../../src/model/scenario.ts';
import type { Wind } from '../../../src/sim/aircraft/flight/wind.ts';
import {
  SimulatedVehicle,
  type SimulatedVehicleDeps,
  type SimulatedVehicleState,
} from '../../../src/sim/vehicles/simulated_vehicle.ts';
import { randomFrom } from '../basics/random.ts';
import { Air, type AirVehicle } from '../fleet/air.ts';
import { moved, type Point } from '../vehicles/flight.ts';

export const ORIGIN = { lat: 52, lon: 4 };
export const GROUND_HAE_M = 45;

/** An asset of a scenario with an autopilot, as its schema fills it in. */
export function vehicleActor(told: object = {}): ScenarioActor {
  return scenarioActorSchema.parse({
    ...{ id: 'heron', kind: 'asset', start: { east_m: 0, north_m: 0 }, mavlink: {} },
    ...told,
  });
}

export function vehicleOf(
  told: object = {},
  performance: PlatformPerformance = {},
  deps: Partial<SimulatedVehicleDeps> = {},
): SimulatedVehicle {
  const usual = { random: randomFrom(1), groundAltHaeM: GROUND_HAE_M, origin: ORIGIN, beginMs: 1_000_000 };
  return new SimulatedVehicle(vehicleActor(told), performance, { ...usual, ...deps });
}

/** A simulated vehicle in the air of a test, on a link in memory with our own codec at its end. */
export class FlownVehicle implements AirVehicle {
  readonly vehicle: SimulatedVehicle;
  readonly sysid: number;
  readonly killedByNaN = null;
  readonly crashed = false;
  wind: Wind = { eastMps: 0, northMps: 0 };
  /** All frames, both ways, in their order. */
  readonly bytes: Uint8Array[] = [];
  readonly heard: MavlinkMessage[] = [];
  readonly #air: Air;
  readonly #codec = createMavlinkCodec({ datagrams: true });

  constructor(air: Air, vehicle: SimulatedVehicle) {
    this.#air = air;
    this.vehicle = vehicle;
    this.sysid = vehicle.facts.sysid;
    const encoder = new MavlinkEncoder({ sysid: 245, compid: 190 });
    air.linkTo(vehicle.facts.link, {
      transmit: async (payload: Payload) => {
        const frame = encoder.encode(payload);
        this.bytes.push(frame);
        vehicle.receive(frame, air.nowMs);
      },
    });
  }

  async start(): Promise<void> {}

  stop(): void {}

  tick(dtS: number): void {
    const { vehicle } = this;
    vehicle.step(this.#air.nowMs, dtS, this.wind);
    for (const frame of vehicle.take()) {
      this.bytes.push(frame);
      this.#codec.decode(frame, '', this.#air.nowMs, (message) => {
        this.heard.push(message);
        this.#air.rig.fleet.take(vehicle.facts.link, message, '', this.#air.nowMs);
      });
    }
  }

  get state(): SimulatedVehicleState {
    return this.vehicle.state();
  }

  get speedMps(): number {
    return Math.hypot(this.state.eastMps, this.state.northMps);
  }

  apartM(eastM: number, northM: number): number {
    return Math.hypot(this.state.eastM - eastM, this.state.northM - northM);
  }
}

export type FlownReady = { air: Air; flown: FlownVehicle; id: string };

/** A simulated vehicle that is adopted and stands at the start of its actor. */
export async function vehicleReady(
  t: Test,
  told: object = {},
  performance: PlatformPerformance = {},
): Promise<FlownReady> {
  const air = new Air(t);
  const flown = new FlownVehicle(air, vehicleOf(told, performance));
  return { air, flown, id: await air.adopt(flown, flown.vehicle.facts.name, performance) };
}

/** A place of the scenario on the earth. */
export function at(eastM: number, northM: number): Point {
  return moved(ORIGIN, northM, eastM);
}
