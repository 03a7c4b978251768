import type { Observation } from '../../model/observation.ts';
import type { CoreOutput } from '../../model/track_row.ts';
import type { CoreBeginning, ToCore } from '../messages.ts';
import type { CoreRemote } from './remote.ts';

/** Callbacks through which a core informs its world, in the order of the events. */
export type CoreEvents = {
  /** Receives the output of one step and the time that the core took for it, ms. */
  output: (output: CoreOutput, tookMs: number) => void;
  /**
   * Receives the number of the track that an observation was assigned to: 0 for none, negative if its position was
   * withheld from the tracker. Called after the output that contains the track.
   */
  assigned: (observation: Observation, number: number) => void;
  /**
   * Called with each message before it is sent, so that a recorder can keep every input of the picture; not with the
   * message that ends the core. `CoreStepped` never calls it.
   */
  published?: (message: ToCore) => void;
  /** Called when a core is replaced, because it died or on request; `sentence` states why. */
  restarted: (sentence: string) => void;
  /**
   * Called when the core ends for good, because its worker died too often or cannot be replaced. The world then ends as
   * well.
   */
  failed: (sentence: string) => void;
};

/**
 * Interface of a core for its world. `CoreRemote` (steps by itself) and `CoreStepped` (steps when it is told to) have
 * it.
 */
export type CoreHandle = Pick<CoreRemote, keyof CoreRemote>;

/**
 * Creates the core of a world. `begin` is called at the start and after every restart; it returns everything that the
 * core begins with.
 */
export type CoreMaker = (
  begin: () => CoreBeginning,
  sensorIndex: (sensorId: string) => number,
  nowMs: () => number,
  events: CoreEvents,
) => CoreHandle;
