import type { Command, CommandState } from '../../../model/command.ts';
import type { Task } from '../../../model/task.ts';
import type { Verb } from '../../../model/verb.ts';

/** A step of a task, or of a command that is part of none, by the actors of the scenario that it concerns. */
export type Act = {
  atS: number;
  verb: Verb;
  state: CommandState;
  /** Null of a command without a task. */
  phase: Task['phase'] | null;
  reason: string | null;
  /** The actor that flies it; null for an asset that the scenario did not bring. */
  actorId: string | null;
  /** The actor whose track, or the asset that, it is about. */
  aboutId: string | null;
};

export type ActRim = {
  actorOf(assetId: string): string | null;
  /** What a track showed when it was last compared with the truth. */
  thingOf(trackId: string): string | null;
};

export function actOf(one: Task | Command, atS: number, { actorOf, thingOf }: ActRim): Act {
  const { verb, state, reason, params, asset_id } = one;
  const phase = 'phase' in one ? one.phase : null;
  const about = params.kind === 'track' ? thingOf(params.track_id) : null;
  const aboutId = params.kind === 'asset' ? actorOf(params.asset_id) : about;
  return { atS, verb, state, phase, reason, actorId: actorOf(asset_id), aboutId };
}
