import type { ScenarioActor } from '../../model/scenario.ts';
import type { Pilot } from '../aircraft/behaviour/plan.ts';
import type { FlightType } from '../aircraft/flight/limits.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Span } from '../kernel/spans.ts';
import type { SimulatedVehicle } from '../vehicles/simulated_vehicle.ts';

/** One body of the scenario, with its properties other than flight. */
export type Member = {
  /** Index of the body in `Air`. */
  body: number;
  /** The actor's id; where the actor has several members, followed by a number. */
  id: string;
  kind: ScenarioActor['kind'];
  type: FlightType;
  seed: number;
  /** Random generator of its gusts. */
  gusts: Chance;
  pilot: Pilot | null;
  vehicle: SimulatedVehicle | null;
  appearsS: number;
  leavesS: number;
  hidden: readonly Span[];
  sizeM: number;
  /** Height of its take-off above ground. */
  startHeightM: number;
  /** Whether it exists only in the claims of a transmitter. */
  isGhost: boolean;
  /** The body that transmits for it: its own, or for a ghost the spoofer's. */
  radio: number;
  /** Whether a direction finder can receive it. */
  transmits: boolean;
};
