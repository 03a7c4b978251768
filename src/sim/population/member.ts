import type { ScenarioActor } from '../../model/scenario.ts';
import type { Pilot } from '../aircraft/behaviour/plan.ts';
import type { FlightType } from '../aircraft/flight/limits.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Span } from '../kernel/spans.ts';
import type { SimulatedVehicle } from '../vehicles/simulated_vehicle.ts';

/** One body of the scenario, with its properties besides its flight. */
export type Member = {
  /** Its number among bodies. */
  body: number;
  /** The actor's; of one of many, with its number behind it. */
  id: string;
  kind: ScenarioActor['kind'];
  type: FlightType;
  seed: number;
  /** Chance of the gusts that it meets. */
  gusts: Chance;
  pilot: Pilot | null;
  vehicle: SimulatedVehicle | null;
  appearsS: number;
  leavesS: number;
  hidden: readonly Span[];
  sizeM: number;
  /** Height of its take-off above ground. */
  startHeightM: number;
  /** A transmitter claims it, but it does not exist. */
  isGhost: boolean;
  /** The body that transmits for it: its own, but of a ghost. */
  radio: number;
  /** A direction finder receives it. */
  transmits: boolean;
};
