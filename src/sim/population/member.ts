import type { ScenarioActor } from '../../model/scenario.ts';
import type { Pilot } from '../aircraft/behaviour/plan.ts';
import type { FlightType } from '../aircraft/flight/limits.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Span } from '../kernel/spans.ts';
import type { SimulatedVehicle } from '../vehicles/simulated_vehicle.ts';

/** One body of the scenario, with its properties besides those in `Air`. */
export type Member = {
  /** Index of the body in `Air`. */
  body: number;
  /** The actor's id. Members of a swarm and ghosts of a spoofer have a hyphen and a number after it. */
  id: string;
  kind: ScenarioActor['kind'];
  type: FlightType;
  seed: number;
  /** Random generator of the body's gusts. */
  gusts: Chance;
  pilot: Pilot | null;
  vehicle: SimulatedVehicle | null;
  appearsS: number;
  leavesS: number;
  hidden: readonly Span[];
  sizeM: number;
  /** True for a ghost: a body that exists only in the claims of a transmitter. */
  isGhost: boolean;
  /** Index of the body that transmits for this one: the body itself, or the spoofer for a ghost. */
  radio: number;
  /** True if a direction finder can receive the body. */
  transmits: boolean;
};
