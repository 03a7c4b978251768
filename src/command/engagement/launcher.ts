import type { Actor } from '../../model/actor.ts';
import { isOver } from '../../model/command.ts';
import type { Engagement, Plan } from '../../model/engagement.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { Task } from '../../model/task.ts';
import type { EngagementBook } from './book.ts';
import { deedOf } from './deeds.ts';
import { type Held, planOf } from './held.ts';
import { brokenSeal } from './planner.ts';
import type { EngagementRim } from './rim.ts';
import { type Known, standsAgainst } from './standing.ts';

/** Sends what was approved, everything of it checked once more, and follows what becomes of it. */
export class Launcher {
  readonly #rim: EngagementRim;
  readonly #book: EngagementBook;
  readonly #known: Known;
  /** Told of each that ended after it was begun. */
  onEnded: (held: Held) => void = () => {};

  constructor(rim: EngagementRim, book: EngagementBook, known: Known) {
    this.#rim = rim;
    this.#book = book;
    this.#known = known;
    rim.tasks.onChange((task) => this.#follow(task));
  }

  /** All vehicles of a plan go or none: who agreed, agreed to all of it. Throws a Fault where they do not. */
  async launch(held: Held, plan: Plan, by: Actor, reason: string | null): Promise<Engagement> {
    const started: Task[] = [];
    try {
      for (const leg of plan.legs) {
        this.#requireStanding(held, plan, [leg]);
        const task = await this.#rim.tasks.start(leg, { engagementId: held.engagement.id, by, reason });
        started.push(task);
        if (held.engagement.state !== 'approved') throw new Fault('conflict', `the plan was ${held.engagement.state}`);
      }
      if (plan.legs.length === 0) this.#requireStanding(held, plan, []);
    } catch (thrown) {
      const why = sentenceOf(thrown);
      for (const { id, state } of started) if (!isOver(state)) this.cancelTask(id, `the plan is not flown: ${why}`);
      if (held.engagement.state === 'approved') this.#end(held, 'failed', why);
      throw thrown instanceof Fault ? thrown : new Fault('unavailable', `the plan is not flown: ${why}`);
    }
    if (plan.legs.length === 0) this.#notify(held, plan, reason);
    else {
      // What changed of a task while others were being started came first.
      const tasks = started.map((task) => held.engagement.tasks.find(({ id }) => id === task.id) ?? task);
      this.#book.follow('The engagement', [{ held, to: { state: 'executing', tasks } }]);
      this.#settle(held);
    }
    return held.engagement;
  }

  /** The tasks of an engagement that are not over. */
  liveTasks({ engagement }: Held): string[] {
    return engagement.tasks.flatMap(({ id, state }) => (isOver(state) ? [] : [id]));
  }

  /** Where it cannot be cancelled, that is told and no more can be done from here. */
  cancelTask(taskId: string, reason: string): void {
    try {
      this.#rim.tasks.cancel(taskId, reason);
    } catch (thrown) {
      this.#rim.trouble(thrown, 'The end of a task');
    }
  }

  /** What was approved and not sent in time is not sent. */
  giveUp(held: Held): void {
    this.#end(held, 'failed', 'it was not sent before it expired');
  }

  #requireStanding(held: Held, plan: Plan, legs: Plan['legs']): void {
    if (held.engagement.state !== 'approved') throw new Fault('conflict', `the plan was ${held.engagement.state}`);
    const against = brokenSeal(plan) ?? standsAgainst(this.#known, held, plan, legs);
    if (against !== null) throw new Fault('conflict', against);
  }

  #notify(held: Held, plan: Plan, reason: string | null): void {
    const { label, level } = held.basis;
    const text = `Those in charge are told of ${label}, a threat of level ${level}${reason === null ? '' : `: ${reason}`}`;
    this.#rim.tell.note('engagement.notified', 'warning', text, { type: 'track', id: plan.track_id, label });
    this.#end(held, 'completed', null);
  }

  /** A task is another: the engagement is what its tasks are. Only what matters of it is written. */
  #follow(task: Task): void {
    const id = task.engagement_id;
    const row = id === null ? undefined : this.#book.get(id);
    if (id === null || !row) return;
    const before = row.tasks.find((known) => known.id === task.id);
    if (before && before.state === task.state && before.phase === task.phase) return;
    const tasks = [...row.tasks.filter((known) => known.id !== task.id), task];
    const held = this.#book.held(id);
    if (!held) {
      this.#book.amend(id, tasks);
      return;
    }
    this.#book.follow('The engagement', [{ held, to: { tasks } }]);
    if (held.engagement.state === 'executing') this.#settle(held);
  }

  #settle(held: Held): void {
    const { tasks } = held.engagement;
    if (tasks.length === 0 || !tasks.every(({ state }) => isOver(state))) return;
    const unfinished = tasks.filter(({ state }) => state !== 'done');
    if (unfinished.length === 0) {
      this.#end(held, 'completed', null);
      return;
    }
    const stopped = unfinished.every(({ state }) => state === 'cancelled' || state === 'superseded');
    this.#end(held, stopped ? 'cancelled' : 'failed', unfinished[0]?.reason ?? `its task is ${unfinished[0]?.state}`);
  }

  #end(held: Held, state: 'completed' | 'failed' | 'cancelled', reason: string | null): void {
    const { workspaceId } = this.#rim;
    const { label } = held.basis;
    const text = `the engagement of ${label} ${state === 'completed' ? 'is completed' : state === 'failed' ? 'failed' : 'was cancelled'}`;
    const plan = planOf(held, held.engagement.chosen_plan_id);
    const told = { kind: `engagement.${state}`, text: reason === null ? text : `${text}: ${reason}`, after: { state } };
    const deed = deedOf(held, workspaceId, state === 'completed' ? told : { ...told, severity: 'notice' }, plan);
    this.#book.follow('The engagement', [{ held, to: { state, reason } }], [deed]);
    this.onEnded(held);
  }
}
