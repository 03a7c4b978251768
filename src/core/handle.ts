import type { Observation } from '../model/observation.ts';
import type { CoreOutput } from '../model/track_row.ts';
import type { CoreBeginning, ToCore } from './messages.ts';
import type { CoreRemote } from './remote.ts';

/** What a core tells its world, in the order in which it found it. */
export type CoreEvents = {
  /** The answer to one step, which took the core so long. */
  output: (output: CoreOutput, tookMs: number) => void;
  /** An observation went to a track, or to none: 0. Told after the output that tells of the track. */
  assigned: (observation: Observation, number: number) => void;
  /** The core is to be told something, which it is right after: for whoever keeps what made a picture. */
  told?: (message: ToCore) => void;
  /** The worker died and another takes over; `sentence` says why. */
  restarted: (sentence: string) => void;
  /** The worker died too often, or once where there is no other: its world is at its end. */
  failed: (sentence: string) => void;
};

/** A core as its world holds it, whoever says when it steps. */
export type CoreHandle = Pick<CoreRemote, keyof CoreRemote>;

/** Makes the core of a world. `begin` is asked at the start, and after every restart: it says what the core is to know. */
export type CoreMaker = (
  begin: () => CoreBeginning,
  sensorIndex: (sensorId: string) => number,
  nowMs: () => number,
  events: CoreEvents,
) => CoreHandle;
