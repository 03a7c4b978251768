import type { ThreatLevel } from '../../../model/posture.ts';
import type { Track } from '../../../model/track.ts';
import type { Spots } from './near_pairs.ts';
import type { TruePlace } from './truth.ts';

/** What was there and what was shown of it at one moment, each joined to the other. */
export type Sighting = {
  /** World milliseconds, and seconds since the run began. */
  atMs: number;
  atS: number;
  places: readonly TruePlace[];
  /** Of the places, in metres about the scenario's origin. */
  spots: Spots;
  /** The tracks of each thing by its id: the one that follows it, or that shows where it only claims to be. */
  tracksOf: ReadonlyMap<string, readonly Track[]>;
  levelOf(trackId: string): ThreatLevel;
};
