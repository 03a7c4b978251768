import type { ScenarioActor } from '../../model/scenario.ts';
import type { Pilot } from './behaviour/pilot.ts';
import type { Chance } from './chance.ts';
import type { FlightType } from './flight/limits.ts';
import type { Span } from './spans.ts';
import type { Twin } from './twins/twin.ts';

export type ActorKind = ScenarioActor['kind'];

/** One body of the scenario and what is known of it beside its flight. */
export type Member = {
  /** Its number among bodies. */
  body: number;
  /** The actor's; of one of many, with its number behind it. */
  id: string;
  kind: ActorKind;
  type: FlightType;
  seed: number;
  /** Of the gusts that it meets. */
  gusts: Chance;
  pilot: Pilot | null;
  twin: Twin | null;
  appearsS: number;
  leavesS: number;
  hidden: readonly Span[];
  sizeM: number;
  /** Where it began, above ground: take-off. */
  startHeightM: number;
  /** It is claimed by a transmitter and is not there. */
  isGhost: boolean;
  /** The body that transmits for it: its own, but of a ghost. */
  radio: number;
  /** What a direction finder hears. */
  transmits: boolean;
};
