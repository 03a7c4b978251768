import type { Actor } from '../model/actor.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { SimState } from '../model/picture.ts';
import type { ScenarioActor } from '../model/scenario.ts';
import type { SimMode, SimStart } from '../model/simulator.ts';
import type { WhatIf } from '../model/what_if.ts';

/**
 * Which world is shown, and what is played beside the live one. Each answers with the state that follows; each throws a
 * `conflict` Fault that says why where it cannot be now.
 */
export type Simulator = {
  state(): SimState;
  /** Throws `not_found` where there is no such scenario. */
  start(ask: SimStart, by: Actor): Promise<SimState>;
  pause(by: Actor): Promise<SimState>;
  resume(by: Actor): Promise<SimState>;
  /** Lets so many seconds pass in a world that is paused. */
  step(seconds: number, by: Actor): Promise<SimState>;
  stop(by: Actor): Promise<SimState>;
  setRate(rate: number, by: Actor): Promise<SimState>;
  /** Of a replay: on to another place of the recording. */
  seek(toS: number, by: Actor): Promise<SimState>;
  inject(actor: ScenarioActor, by: Actor): Promise<SimState>;
  /** Throws `not_found` where there is no such recording. */
  show(ask: SimMode, by: Actor): Promise<SimState>;
  /** What another decision config would have made of a recording, for as long as `goesOn`. Throws `not_found`. */
  whatIf(recordingId: string, asked: DecisionPolicy, goesOn: () => boolean): Promise<WhatIf>;
};
