import type { Observation } from '../../model/observation.ts';
import type { CoreOutput } from '../../model/track_row.ts';
import type { CoreBeginning, ToCore } from '../messages.ts';
import type { CoreRemote } from './remote.ts';

/** Events of a core for its world, in the order in which the core found them. */
export type CoreEvents = {
  /** Receives the answer to one step and the time that the core took, ms. */
  output: (output: CoreOutput, tookMs: number) => void;
  /** Reports the track of an observation, 0 for none. Called after the output that has the track. */
  assigned: (observation: Observation, number: number) => void;
  /** Called before a message is sent to the core, for a recorder of everything that made a picture. */
  published?: (message: ToCore) => void;
  /** The worker died and another takes over; `sentence` says why. */
  restarted: (sentence: string) => void;
  /** The worker died too often, or once where it cannot be replaced: its world ends. */
  failed: (sentence: string) => void;
};

/** A core as its world uses it, whatever decides when it steps. */
export type CoreHandle = Pick<CoreRemote, keyof CoreRemote>;

/**
 * Makes the core of a world. `begin` is called at the start, and after every restart: it gives everything that the core
 * begins with.
 */
export type CoreMaker = (
  begin: () => CoreBeginning,
  sensorIndex: (sensorId: string) => number,
  nowMs: () => number,
  events: CoreEvents,
) => CoreHandle;
