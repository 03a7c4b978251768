import { isOver } from '../../../../model/command.ts';
import type { RunExpectation } from '../../../../model/run.ts';
import type { Act } from '../act.ts';
import type { Cast } from '../cast.ts';
import type { Of, Told, Watcher } from './watcher.ts';
import { allowed, nameOf, seconds, within } from './words.ts';

/** A vehicle of ours has to reach the place that a task keeps, or to be done with it, whoever ordered it. */
export class TaskWatcher implements Watcher {
  readonly #wanted: Of<'task'>;
  #firstS: number | null = null;
  /** What became of the latest such task. */
  #last: Act | null = null;

  constructor(wanted: Of<'task'>) {
    this.#wanted = wanted;
  }

  act(act: Act, cast: Cast): void {
    const { asset, verb, about, is } = this.#wanted;
    if (act.actorId !== asset || act.verb !== verb) return;
    if (about !== undefined && (act.aboutId === null || !cast.isOf(act.aboutId, about))) return;
    this.#last = act;
    const isReached = is === 'done' ? act.state === 'done' : act.phase === 'on_station';
    if (isReached) this.#firstS ??= act.atS;
  }

  result({ refused }: Told, cast: Cast): RunExpectation {
    const { asset, verb, about, is, by_s: byS } = this.#wanted;
    const what = `${verb}${about === undefined ? '' : ` about ${nameOf(about, cast)}`}`;
    const end = is === 'done' ? `done with ${what}` : `on station with ${what}`;
    const who = nameOf(asset, cast);
    if (this.#firstS !== null) {
      const met = this.#firstS <= (byS ?? Number.POSITIVE_INFINITY);
      return { text: `${who} was ${end} after ${seconds(this.#firstS)}${allowed(byS)}`, met };
    }
    const why = this.#last === null ? this.#whyNever(refused) : wordsOf(this.#last);
    return { text: `${who} was not ${end}${within(byS)}: ${why}`, met: false };
  }

  /** No such task began: an order of the scenario that was refused says why. */
  #whyNever(refused: Told['refused']): string {
    const { asset, verb, about } = this.#wanted;
    const found = refused.find(({ order }) =>
      order.do === 'command' ? order.asset === asset && order.verb === verb : order.about === about,
    );
    return found?.text ?? 'no such task began';
  }
}

function wordsOf({ state, reason }: Act): string {
  if (!isOver(state)) return `the task was ${state} at the end`;
  return `the task was ${state}${reason === null ? '' : ` (${reason})`}`;
}
