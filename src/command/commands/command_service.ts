import { randomUUID } from 'node:crypto';
import { awaitsCause, CAUSE_FOLLOWS_MS, takenText } from '../../fleet/cause.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import { type Actor, systemActor } from '../../model/actor.ts';
import { type AssetCommand, type Command, type CommandState, isOver } from '../../model/command.ts';
import { conflict, Fault, notFound, sentenceOf } from '../../model/fault.ts';
import type { Refusal } from '../../model/fleet.ts';
import { Listeners } from '../../model/listeners.ts';
import type { Task } from '../../model/task.ts';
import { type CommandParams, type Verb, verbs } from '../../model/verb.ts';
import type { Ask, ControlDeps, Leg } from '../deps.ts';
import { Ended, Flight } from '../guidance/flight.ts';
import { LiveTask } from '../guidance/live_task.ts';
import { firstLegOf, isTask, runProcedure } from '../guidance/procedures.ts';
import { Admission, type Admitted } from './admission.ts';
import { CommandLog, timeOf } from './command_log.ts';
import { type Given, refusalOf } from './refusal.ts';

type Running = { command: Command; flight: Flight; vehicle: Vehicle; task: LiveTask | null; slot: 'moves' | 'looks' };

/**
 * Runs commands, from admission to the final state. A vehicle has two slots: `moves`, and `looks` for its payload and
 * its status. A newer command replaces the running ones in its slot. If its verb lets other movements continue
 * (`alongside`), it replaces only a command with the same verb.
 */
export class CommandService {
  readonly log: CommandLog;
  readonly #deps: ControlDeps;
  readonly #running = new Map<string, Running>();
  /** Ended commands whose final reason is known only once the vehicle reports the cause of its failsafe. */
  readonly #awaitingCause = new Set<Running>();
  readonly #admission: Admission;
  readonly #listeners = new Listeners<[Task]>();

  constructor(deps: ControlDeps) {
    this.#deps = deps;
    this.log = new CommandLog({
      ...deps,
      publish: { command: deps.publish.command, task: (task) => this.#taskChanged(task) },
    });
    this.#admission = new Admission(deps, this.log, (assetId) =>
      [...this.#running.values()].some(({ command, slot }) => command.asset_id === assetId && slot === 'moves'),
    );
  }

  /**
   * Ends the commands and tasks that an earlier run of the service left unfinished, and watches the vehicles. Call this
   * once the picture accepts commands and tasks.
   */
  start(): void {
    this.log.endEarlier();
    this.#deps.fleet.rebooted.add((vehicle) => this.#endOf(vehicle, 'failed', 'the vehicle rebooted'));
    this.#deps.fleet.taken.add((vehicle, why) => this.#endTaken(vehicle, why));
  }

  /**
   * Ends the running commands at the end of the service. Their vehicles get no order, and continue with the last one.
   */
  stop(): void {
    for (const running of [...this.#running.values()]) {
      const reason = 'the service stopped: the vehicle continues with its last order, or follows its own failsafe';
      this.#finish(running, 'failed', reason, systemActor);
    }
    for (const running of this.#awaitingCause) this.#writeEnd(running, systemActor);
    this.#awaitingCause.clear();
  }

  /**
   * Runs a command. `reference`: the asset's uuid or a name of its vehicle. Resolves once the first datagram was sent,
   * or the command is done without one. Rejects if the command is refused, or ends before it is sent.
   */
  async command(reference: string, body: AssetCommand, ask: Ask, urgent?: 'stop'): Promise<Command> {
    const admitted = this.#admission.admit(reference, body, ask, urgent);
    if ('before' in admitted) return this.log.answered(admitted.before);
    return this.#begin(admitted, ask);
  }

  /** Starts a leg of a plan, and returns its task. */
  async startLeg(leg: { asset_id: string; verb: Verb; params: CommandParams }, ask: Ask): Promise<Task> {
    const command = await this.command(leg.asset_id, { verb: leg.verb, params: leg.params }, ask);
    const task = command.task_id === null ? null : this.log.task(command.task_id);
    if (!task) throw conflict(`the verb ${leg.verb} starts no task, so it cannot be a leg of a plan`);
    return task;
  }

  /** Returns up to `limit` tasks, the newest first. Tasks that still run have their current state. */
  tasks(limit: number): Task[] {
    return this.log.tasks(limit).map((task) => this.#live(task.id) ?? task);
  }

  task(id: string): Task | null {
    return this.#live(id) ?? this.log.task(id);
  }

  /** Ends a task on request. A vehicle that the task moves is ordered to hold; a camera task needs no order. */
  async cancel(
    taskId: string,
    reason: string | null,
    by: Actor,
    { key, operator }: Pick<Ask, 'key' | 'operator'> = { key: null, operator: null },
  ): Promise<Task> {
    const task = this.task(taskId);
    if (!task) throw notFound(`there is no task with the id ${taskId} in this workspace`);
    if (isOver(task.state)) throw conflict(`the task has already ended: its state is ${task.state}`);
    const asset = this.#deps.asset(task.asset_id);
    const ask = { by, key, operator, why: reason, engagementId: null };
    const holds = verbs[task.verb].class !== 'observation';
    const said = { ...(operator === null ? {} : { operator }), verb: holds ? 'hold' : task.verb };
    // Ending a task needs the same permission as `hold`, or as the verb itself for a camera task.
    if (asset) this.#admission.requireMay(asset, said, ask);
    this.cancelTask(taskId, reason ?? 'a person ended the task', by);
    // A refused hold is no failure: the task has ended all the same.
    if (holds)
      await this.command(task.asset_id, { verb: 'hold' }, ask, 'stop').catch((thrown) => {
        if (!(thrown instanceof Fault)) throw thrown;
      });
    return this.task(taskId) ?? task;
  }

  #live(taskId: string): Task | null {
    for (const { task } of [...this.#running.values(), ...this.#awaitingCause])
      if (task?.task.id === taskId) return task.task;
    return null;
  }

  /**
   * Returns why a command would be refused now; null if it would not. Permission, rate and parameters are not checked.
   */
  check(assetId: string, verb: Verb, params: CommandParams, given: Given = {}): Refusal | null {
    const vehicle = this.#deps.fleet.vehicleOf(assetId);
    const name = this.#deps.asset(assetId)?.name ?? assetId;
    if (!vehicle)
      return {
        reason: 'link_down',
        text: `${verb} is not available on ${name}: no received vehicle is bound to this asset`,
      };
    if (!this.#deps.fleet.advertised(vehicle).includes(verb))
      return { reason: 'not_advertised', text: `${name} does not offer the verb ${verb}` };
    return refusalOf(this.#deps, verb, params, { id: assetId, name }, vehicle, given);
  }

  /**
   * Returns the first straight leg of a command; null if it has none, or none can be computed. The leg itself is not
   * checked. `liftM`: height of a preceding take-off, m.
   */
  firstLeg(vehicle: Vehicle, assetId: string, verb: Verb, params: CommandParams, liftM = 0): Leg | null {
    const leg = firstLegOf({ deps: this.#deps, vehicle, assetId, verb, params, liftM });
    return leg === null || 'reason' in leg ? null : leg;
  }

  cancelTask(taskId: string, reason: string, by: Actor): boolean {
    for (const running of this.#running.values()) {
      if (running.task?.task.id !== taskId) continue;
      this.#finish(running, 'cancelled', reason, by);
      return true;
    }
    return false;
  }

  /**
   * Ends all commands of an asset, except those with a verb in `kept`. Called when the asset is removed or its vehicle
   * must hold.
   */
  endAsset(assetId: string, state: CommandState, reason: string, by: Actor, kept: readonly Verb[] = []): void {
    for (const running of [...this.#running.values()]) {
      const { asset_id: id, verb } = running.command;
      if (id === assetId && !kept.includes(verb)) this.#finish(running, state, reason, by);
    }
  }

  /** Returns the running task of an asset, in any slot or in the given one; null if there is none. */
  taskOf(assetId: string, of?: Running['slot']): Task | null {
    for (const { command, task, slot } of this.#running.values()) {
      if (command.asset_id === assetId && task && (of ?? slot) === slot) return task.task;
    }
    return null;
  }

  onTask(listener: (task: Task) => void): () => void {
    return this.#listeners.add(listener);
  }

  async #begin({ verb, params, asset, vehicle, expiresMs, commandId }: Admitted, ask: Ask): Promise<Command> {
    const deps = this.#deps;
    const nowText = this.#nowText();
    const slot = verbs[verb].class === 'observation' ? 'looks' : 'moves';
    const { provenance } = deps;
    const begun = {
      ...{ id: randomUUID(), engagement_id: ask.engagementId, command_id: commandId, asset_id: asset.id },
      ...{ verb, params, started_at: nowText, provenance },
    };
    // Every leg of a plan is published as a task, even one that ends at once.
    const isFollowed = isTask(verb, params) || ask.engagementId !== null;
    const task = isFollowed ? new LiveTask(begun, () => this.#taskMoved(running)) : null;
    const command: Command = {
      ...{ command_id: commandId, verb, asset_id: asset.id, state: 'created', reason: null, params },
      ...{ by: ask.by, operator: ask.operator, why: ask.why, task_id: task?.task.id ?? null, attempts: 0 },
      link_id: deps.fleet.linkIdOf(vehicle),
      ...{ accepted_at: nowText, sent_at: null, expires_at: timeOf(deps, expiresMs), updated_at: nowText, provenance },
    };
    // The command is written before anything is sent, so that a sender is known for each action; `#open` describes the
    // exception.
    this.#open(command, ask.by, task);
    const writeSuperseded = this.#supersede(asset.id, slot, verb, ask.by);
    let resolveSent: () => void = () => {};
    const sent = new Promise<void>((resolve) => {
      resolveSent = resolve;
    });
    const flight = new Flight(deps.fleet, { vehicle, assetId: asset.id, verb }, expiresMs, {
      sent: (attempts) => {
        this.#sent(running, attempts);
        resolveSent();
      },
      accepted: () => this.#advance(running, 'accepted'),
      executing: () => {
        if (running.command.state === 'accepted') this.#advance(running, 'executing');
      },
    });
    const running: Running = { command, flight, vehicle, task, slot };
    this.#running.set(commandId, running);
    if (slot === 'moves') vehicle.targets.isWatched = true;
    void this.#fly(running).finally(resolveSent);
    this.log.publish();
    await sent;
    // The replaced commands are recorded after the new order was sent, because the disk is slower than the radio link.
    writeSuperseded();
    const now = isOver(running.command.state) ? running.command : (this.log.get(commandId) ?? running.command);
    if (now.sent_at === null && isOver(now.state) && now.state !== 'done') {
      throw conflict(`${verb} was not sent to ${asset.name}: ${now.reason ?? now.state}`);
    }
    return this.log.answered(now);
  }

  /**
   * Writes the first step of a command. After a failed write, as on a full disk, only `hold` and `return_home` are
   * carried out. The failure refuses every other command.
   */
  #open(command: Command, by: Actor, task: LiveTask | null): void {
    try {
      this.log.begin(command, by, task?.task ?? null);
    } catch (thrown) {
      if (verbs[command.verb].class !== 'safer') throw thrown;
      this.log.deferBegin(command, by, task?.task ?? null);
      this.#deps.note('command.not_written', 'warning', sentenceOf(thrown), null);
    }
  }

  async #fly(running: Running): Promise<void> {
    try {
      const done = await runProcedure({ deps: this.#deps, ...running });
      this.#finish(running, 'done', done, systemActor);
    } catch (thrown) {
      if (thrown instanceof Ended) this.#finish(running, thrown.state, thrown.message, systemActor);
      else this.#finish(running, 'failed', sentenceOf(thrown), systemActor);
    }
  }

  /**
   * Stops the commands that a new command replaces. Returns a function that records the end of the replaced commands.
   */
  #supersede(assetId: string, slot: Running['slot'], verb: Verb, by: Actor): () => void {
    const over: Running[] = [];
    for (const running of [...this.#running.values()]) {
      if (running.command.asset_id !== assetId || running.slot !== slot) continue;
      if (verbs[verb].alongside && running.command.verb !== verb) continue;
      if (this.#end(running, 'superseded', `the command ${verb} replaced this one`)) over.push(running);
    }
    return () => {
      for (const running of over) this.#writeEnd(running, by);
    };
  }

  #sent(running: Running, attempts: number): void {
    if (isOver(running.command.state)) return;
    const { command } = running;
    const nowText = this.#nowText();
    const isFirst = command.sent_at === null;
    const first = isFirst ? ({ state: 'sent', sent_at: nowText } as const) : {};
    running.command = { ...command, attempts: Math.max(command.attempts, attempts), updated_at: nowText, ...first };
    if (isFirst) this.#write(running);
  }

  #advance(running: Running, state: 'accepted' | 'executing'): void {
    const order: readonly CommandState[] = ['created', 'sent', 'accepted', 'executing'];
    const was = order.indexOf(running.command.state);
    if (was < 0 || was >= order.indexOf(state)) return;
    running.command = { ...running.command, state, updated_at: this.#nowText() };
    this.#write(running);
    running.task?.set({ state });
  }

  #nowText(): string {
    return timeOf(this.#deps, this.#deps.nowMs());
  }

  #write({ command }: Running): void {
    this.#unstopped(command, () => this.log.step(command, systemActor));
  }

  /**
   * Writes a step. After a failed write the command goes on and the step stays pending; the failure is logged unless a
   * step of the command is pending already.
   */
  #unstopped({ command_id }: Command, write: () => void): void {
    const isNoted = this.log.isPending(command_id);
    try {
      write();
    } catch (thrown) {
      if (!isNoted) this.#deps.note('command.not_written', 'warning', sentenceOf(thrown), null);
    }
  }

  /** Tries to write pending steps. Call this once a second. */
  everySecond(): void {
    this.log.settle();
  }

  #finish(running: Running, state: CommandState, reason: string, by: Actor): void {
    if (this.#end(running, state, reason)) this.#writeEnd(running, by);
  }

  /**
   * Ends a command and its task in memory, and stops its orders; the caller writes the end. Returns false if the command
   * had ended before.
   */
  #end(running: Running, state: CommandState, reason: string): boolean {
    if (!this.#running.delete(running.command.command_id)) return false;
    this.#conclude(running, state, reason);
    running.flight.end(state, reason);
    return true;
  }

  #conclude(running: Running, state: CommandState, reason: string): void {
    const { command, task } = running;
    const nowText = this.#nowText();
    running.command = { ...command, state, reason, updated_at: nowText };
    task?.end(state, reason, nowText);
  }

  #writeEnd({ command, task }: Running, by: Actor): void {
    this.#unstopped(command, () => this.log.step(command, by));
    if (task) this.#unstopped(command, () => this.log.putTask(task.task, by));
  }

  #taskMoved({ task }: Running): void {
    if (task && !isOver(task.task.state)) this.#taskChanged(task.task);
  }

  #taskChanged(task: Task): void {
    this.#deps.publish.task(task);
    this.#listeners.emit(task);
  }

  /**
   * Ends the commands that move a vehicle which another station or its own failsafe has taken over. Camera commands go
   * on. If the failsafe will still report its cause, the final reason is written after that report, or after
   * `CAUSE_FOLLOWS_MS`.
   */
  #endTaken(vehicle: Vehicle, why: string): void {
    if (!awaitsCause(vehicle)) {
      this.#endOf(vehicle, 'failed', why, 'moves');
      return;
    }
    const over = this.#runningOn(vehicle, 'moves').filter((running) => this.#end(running, 'failed', why));
    for (const running of over) this.#awaitingCause.add(running);
    void this.#deps.fleet.waits
      .until(() => !awaitsCause(vehicle), CAUSE_FOLLOWS_MS)
      .then(() => {
        const reason = vehicle.custody.taken ? takenText(vehicle) : why;
        for (const running of over) {
          if (!this.#awaitingCause.delete(running)) continue;
          this.#conclude(running, 'failed', reason);
          this.#writeEnd(running, systemActor);
        }
      });
  }

  #endOf(vehicle: Vehicle, state: CommandState, reason: string, slot?: Running['slot']): void {
    for (const running of this.#runningOn(vehicle, slot)) this.#finish(running, state, reason, systemActor);
  }

  #runningOn(vehicle: Vehicle, slot?: Running['slot']): Running[] {
    return [...this.#running.values()].filter(
      (running) => running.vehicle === vehicle && (slot ?? running.slot) === running.slot,
    );
  }
}
