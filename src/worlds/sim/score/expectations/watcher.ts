import type { RunExpectation, RunMetrics } from '../../../../model/run.ts';
import type { Expectation } from '../../../../model/scenario.ts';
import type { Track } from '../../../../model/track.ts';
import type { RefusedOrder } from '../../orders.ts';
import type { Act } from '../act.ts';
import type { AlertLog } from '../alert_log.ts';
import type { AlertJudge } from '../alert_score.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';

/** What is known at the end besides what was seen on the way. */
export type Told = {
  metrics: RunMetrics;
  log: AlertLog;
  judge: AlertJudge;
  beginMs: number;
  /** Orders of the scenario that were not carried out. */
  refused: readonly RefusedOrder[];
};

export type Of<Kind extends Expectation['kind']> = Extract<Expectation, { kind: Kind }>;

/** Keeps an eye on one thing that must come about. */
export type Watcher = {
  look?(sighting: Sighting, cast: Cast): void;
  act?(act: Act, cast: Cast): void;
  result(told: Told, cast: Cast): RunExpectation;
};

/** Every track of an actor, of all that belong to it. */
export function* tracksOfActor({ tracksOf }: Sighting, cast: Cast, actorId: string): Generator<Track> {
  for (const [id, tracks] of tracksOf) if (cast.isOf(id, actorId)) yield* tracks;
}
