import { isOver } from '../../../model/command.ts';
import type { Cast } from '../cast.ts';
import { type Act, type Of, reached, unmet, type Watcher, within } from './watcher.ts';

/** A vehicle of ours has to reach the station of a task, or to complete it, whoever ordered the task. */
export function taskWatcher({ asset, verb, about, is, by_s: byS }: Of<'task'>, cast: Cast): Watcher {
  let firstS: number | null = null;
  /** Outcome of the latest such task. */
  let last: Act | null = null;
  return {
    act(act) {
      if (act.actorId !== asset || act.verb !== verb) return;
      if (about !== undefined && (act.aboutId === null || !cast.isOf(act.aboutId, about))) return;
      last = act;
      const isReached = is === 'done' ? act.state === 'done' : act.phase === 'on_station';
      if (isReached) firstS ??= act.atS;
    },
    result({ refused }) {
      const what = `${verb}${about === undefined ? '' : ` about ${cast.nameOf(about)}`}`;
      const end = is === 'done' ? `done with ${what}` : `on station with ${what}`;
      if (firstS !== null) return reached(`${cast.nameOf(asset)} was ${end}`, firstS, byS);
      // A refused order of the scenario says why no such task began.
      const refusal = refused.find(({ order }) =>
        order.do === 'command' ? order.asset === asset && order.verb === verb : order.about === about,
      );
      const why = last === null ? (refusal?.text ?? 'no such task began') : outcomeOf(last);
      return unmet(`${cast.nameOf(asset)} was not ${end}${within(byS)}: ${why}`);
    },
  };
}

function outcomeOf({ state, reason }: Act): string {
  if (!isOver(state)) return `the task was ${state} at the end`;
  return `the task was ${state}${reason === null ? '' : ` (${reason})`}`;
}
