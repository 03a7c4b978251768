import type { Actor } from '../model/actor.ts';
import { isOver } from '../model/command.ts';
import type { Engagement, Plan, PlanLeg } from '../model/engagement.ts';
import { conflict, Fault, sentenceOf, unavailable } from '../model/fault.ts';
import type { Task } from '../model/task.ts';
import { deedOf } from './deeds.ts';
import type { EngagementDeps } from './deps.ts';
import type { EngagementLog } from './engagement_log.ts';
import { type Held, planOf } from './held.ts';
import { liftoffOf, nextOf } from './liftoff.ts';
import { brokenSeal } from './planner.ts';
import { goesOnAgainst, type Known, standsAgainst } from './standing.ts';

/** The actor who began an engagement, and the reason. */
type Order = { by: Actor; reason: string | null };

/** Sends the orders of an approved plan after checking each leg again, and follows the tasks. */
export class Launcher {
  readonly #deps: EngagementDeps;
  readonly #log: EngagementLog;
  readonly #known: Known;
  readonly #orders = new WeakMap<Held, Order>();
  /** Keys (engagement id and asset id) of legs that are being started after a take-off. */
  readonly #beginning = new Set<string>();
  readonly #ended: (held: Held) => void;

  /** `ended` is called with each engagement that the launcher ends. */
  constructor(deps: EngagementDeps, log: EngagementLog, known: Known, ended: (held: Held) => void) {
    this.#ended = ended;
    this.#deps = deps;
    this.#log = log;
    this.#known = known;
    deps.tasks.onChange((task) => this.#follow(task));
  }

  /**
   * Sends the first orders to all vehicles of a plan. If one order cannot be sent, cancels the tasks that were started,
   * because the approval was for the whole plan, and throws a `Fault`.
   */
  async launch(held: Held, plan: Plan, by: Actor, reason: string | null): Promise<Engagement> {
    const started: Task[] = [];
    try {
      for (const leg of plan.legs) {
        if (liftoffOf(plan.legs, leg) !== null) continue;
        this.#requireStanding(
          held,
          plan,
          plan.legs.filter(({ asset_id }) => asset_id === leg.asset_id),
        );
        const task = await this.#deps.tasks.start(leg, { engagementId: held.engagement.id, by, reason });
        started.push(task);
        if (held.engagement.state !== 'approved') throw conflict(`the engagement is already ${held.engagement.state}`);
      }
      if (plan.legs.length === 0) this.#requireStanding(held, plan, []);
    } catch (thrown) {
      const why = sentenceOf(thrown);
      for (const { id, state } of started) if (!isOver(state)) this.cancelTask(id, `the plan was not started: ${why}`);
      if (held.engagement.state === 'approved') this.#end(held, 'failed', why);
      throw thrown instanceof Fault ? thrown : unavailable(`the plan was not started: ${why}`);
    }
    if (plan.legs.length === 0) this.#notify(held, plan, reason);
    else {
      // A task may have changed while later tasks were started, so its newer state is taken from the engagement.
      const tasks = started.map((task) => held.engagement.tasks.find(({ id }) => id === task.id) ?? task);
      this.#orders.set(held, { by, reason });
      this.#log.follow('The engagement', [{ held, to: { state: 'executing', tasks } }]);
      this.#settle(held);
    }
    return held.engagement;
  }

  /** Returns the ids of the engagement's tasks that are not over. */
  liveTasks({ engagement }: Held): string[] {
    return engagement.tasks.flatMap(({ id, state }) => (isOver(state) ? [] : [id]));
  }

  /** Cancels a task. A failure is reported, and the caller continues; a task that is already over is no failure. */
  cancelTask(taskId: string, reason: string): void {
    this.#deps.tasks.cancel(taskId, reason).catch((thrown) => {
      if (!(thrown instanceof Fault && thrown.code === 'conflict'))
        this.#deps.trouble(thrown, `Task ${taskId} could not be cancelled`);
    });
  }

  /** Ends an approved engagement whose orders were not sent in time. */
  giveUp(held: Held): void {
    this.#end(held, 'failed', 'the orders were not sent before the plan expired');
  }

  #requireStanding(held: Held, plan: Plan, legs: Plan['legs']): void {
    if (held.engagement.state !== 'approved') throw conflict(`the engagement is already ${held.engagement.state}`);
    const against = brokenSeal(plan) ?? standsAgainst(this.#known, held, plan, legs);
    if (against !== null) throw conflict(against);
  }

  #notify(held: Held, plan: Plan, reason: string | null): void {
    const { label, level } = held.basis;
    const text = `The plan "notify" reports ${label}, a threat of level ${level}${reason === null ? '' : `: ${reason}`}`;
    this.#deps.publish.note('engagement.notified', 'warning', text, { type: 'track', id: plan.track_id, label });
    this.#end(held, 'completed', null);
  }

  /**
   * Updates a task in its engagement. Changes of the task's state or phase are written to disk, its progress is not.
   */
  #follow(task: Task): void {
    const id = task.engagement_id;
    const row = id === null ? undefined : this.#log.get(id);
    if (id === null || !row) return;
    const before = row.tasks.find((known) => known.id === task.id);
    const tasks = before ? row.tasks.map((known) => (known.id === task.id ? task : known)) : [...row.tasks, task];
    if (before && before.state === task.state && before.phase === task.phase) {
      this.#log.progress(id, tasks, this.#deps.nowMs(), before.breaches !== task.breaches);
      return;
    }
    const held = this.#log.held(id);
    if (!held) {
      this.#log.amend(id, tasks);
      return;
    }
    this.#log.follow('The engagement', [{ held, to: { tasks } }]);
    if (held.engagement.state === 'executing') this.#settle(held);
  }

  /**
   * Begins the next leg after each finished take-off. A take-off that ended otherwise ends the engagement. Returns true
   * if legs are pending, or the engagement was ended here.
   */
  #goOn(held: Held, plan: Plan): boolean {
    let isWaiting = false;
    for (const task of held.engagement.tasks) {
      const next = task.verb === 'takeoff' ? nextOf(plan, task.asset_id) : undefined;
      if (!next || !isOver(task.state) || isBegun(held, next)) continue;
      isWaiting = true;
      if (task.state === 'done') void this.#begin(held, plan, next);
      else {
        const stopped = task.state === 'cancelled' || task.state === 'superseded';
        this.#breakOff(
          held,
          stopped ? 'cancelled' : 'failed',
          task.reason ?? `the take-off of a vehicle ended in the state ${task.state}`,
        );
        return true;
      }
    }
    return isWaiting;
  }

  /**
   * Begins the leg after a take-off. Checks the plan again except its expiry, because the situation may have changed
   * during the climb. If the leg cannot begin, the engagement fails and the vehicle is ordered home, unless a person
   * has ended the engagement.
   */
  async #begin(held: Held, plan: Plan, leg: PlanLeg): Promise<void> {
    const key = `${held.engagement.id} ${leg.asset_id}`;
    const order = this.#orders.get(held);
    if (this.#beginning.has(key) || !order) return;
    this.#beginning.add(key);
    try {
      // Waits until the report of the finished take-off is fully processed, before the vehicle gets its next order.
      await Promise.resolve();
      if (held.engagement.state !== 'executing') return;
      const against = brokenSeal(plan) ?? goesOnAgainst(this.#known, held, plan, [leg]);
      if (against !== null) throw conflict(against);
      const task = await this.#deps.tasks.start(leg, { engagementId: held.engagement.id, ...order });
      this.#joined(held, task);
    } catch (thrown) {
      const why = `a vehicle took off and cannot begin ${leg.verb}: ${sentenceOf(thrown)}`;
      // If a person ended the engagement, the vehicle is not ordered home.
      if (held.engagement.state === 'executing') this.#breakOff(held, 'failed', why);
      if (held.engagement.state === 'failed') this.#deps.tasks.comeHome(leg.asset_id, why);
    } finally {
      this.#beginning.delete(key);
    }
  }

  #joined(held: Held, task: Task): void {
    const { state, tasks } = held.engagement;
    if (state !== 'executing') {
      if (!isOver(task.state)) this.cancelTask(task.id, `the engagement is ${state}`);
      return;
    }
    if (!tasks.some(({ id }) => id === task.id))
      this.#log.follow('The engagement', [{ held, to: { tasks: [...tasks, task] } }]);
    this.#settle(held);
  }

  /**
   * Ends the engagement and cancels its live tasks, after a failed take-off or if the leg after it cannot begin. A later
   * failed leg of one vehicle does not stop the others.
   */
  #breakOff(held: Held, state: 'failed' | 'cancelled', why: string): void {
    const live = this.liveTasks(held);
    this.#end(held, state, why);
    for (const id of live) this.cancelTask(id, `the plan was stopped: ${why}`);
  }

  #settle(held: Held): void {
    const { tasks } = held.engagement;
    const plan = planOf(held, held.engagement.chosen_plan_id);
    if (plan && this.#goOn(held, plan)) return;
    if (tasks.length === 0 || !tasks.every(({ state }) => isOver(state))) return;
    const unfinished = tasks.filter(({ state }) => state !== 'done');
    if (unfinished.length === 0) {
      this.#end(held, 'completed', null);
      return;
    }
    const stopped = unfinished.every(({ state }) => state === 'cancelled' || state === 'superseded');
    this.#end(
      held,
      stopped ? 'cancelled' : 'failed',
      unfinished[0]?.reason ?? `the task of a vehicle ended in the state ${unfinished[0]?.state}`,
    );
  }

  #end(held: Held, state: 'completed' | 'failed' | 'cancelled', reason: string | null): void {
    const { workspaceId } = this.#deps;
    const { label } = held.basis;
    const text = `the engagement of ${label} ${state === 'completed' ? 'is completed' : state === 'failed' ? 'failed' : 'was cancelled'}`;
    const plan = planOf(held, held.engagement.chosen_plan_id);
    const content = {
      kind: `engagement.${state}` as const,
      text: reason === null ? text : `${text}: ${reason}`,
      after: { state },
    };
    const deed = deedOf(held, workspaceId, state === 'completed' ? content : { ...content, severity: 'notice' }, plan);
    this.#log.follow('The engagement', [{ held, to: { state, reason } }], [deed]);
    this.#ended(held);
  }
}

function isBegun({ engagement }: Held, { asset_id, verb }: PlanLeg): boolean {
  return engagement.tasks.some((task) => task.asset_id === asset_id && task.verb === verb);
}
