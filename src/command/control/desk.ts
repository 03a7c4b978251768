import { randomUUID } from 'node:crypto';
import { type Actor, systemActor } from '../../model/actor.ts';
import { type AssetCommand, type Command, type CommandParams, type CommandState, isOver } from '../../model/command.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Task } from '../../model/task.ts';
import { type Verb, verbs } from '../../model/verb.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { LiveTask } from '../tasks/live_task.ts';
import { Admission, type Admitted } from './admission.ts';
import { CommandBook, timeOf } from './book.ts';
import { Ended, Flight } from './flight.ts';
import { isFlown, procedureOf, wayOf } from './procedures.ts';
import { type Given, refusalOf } from './refusal.ts';
import type { Ask, ControlRim, Way } from './rim.ts';

type Running = { command: Command; flight: Flight; vehicle: Vehicle; task: LiveTask | null; slot: 'moves' | 'looks' };

/**
 * Commands of people and of approved plans, from the first check to the last word. A vehicle does one thing that moves it at
 * a time, and looks at one: a newer command takes the place of the one before.
 */
export class CommandDesk {
  readonly book: CommandBook;
  readonly #rim: ControlRim;
  readonly #running = new Map<string, Running>();
  readonly #admission: Admission;
  readonly #listeners = new Set<(task: Task) => void>();

  constructor(rim: ControlRim) {
    this.#rim = rim;
    this.book = new CommandBook({
      ...rim,
      told: { command: rim.told.command, task: (task) => this.#taskChanged(task) },
    });
    this.#admission = new Admission(rim, this.book, (assetId) =>
      [...this.#running.values()].some(({ command, slot }) => command.asset_id === assetId && slot === 'moves'),
    );
  }

  /** Call once the picture can be told. */
  start(): void {
    this.book.endEarlier();
    this.#rim.fleet.onReboot = (vehicle) => this.#endOf(vehicle, 'failed', 'the vehicle started anew');
    this.#rim.fleet.onTaken = (vehicle, why) => this.#endOf(vehicle, 'failed', why, 'moves');
  }

  /** The vehicles are left where they are told to be: what is under way ends with the service. */
  stop(): void {
    for (const running of [...this.#running.values()]) {
      this.#finish(
        running,
        'failed',
        'the service was stopped; the vehicle holds where it was told to fly last',
        systemActor,
      );
    }
  }

  /** A command as it was sent to an asset, its uuid or one of its vehicle's names. Resolves when the first datagram has left. */
  async command(reference: string, body: AssetCommand, ask: Ask, urgent?: 'stop'): Promise<Command> {
    const admitted = this.#admission.admit(reference, body, ask, urgent);
    if ('before' in admitted) return this.book.answered(admitted.before);
    return this.#begin(admitted, ask);
  }

  /** A leg of an approved plan. */
  async startLeg(leg: { asset_id: string; verb: Verb; params: CommandParams }, ask: Ask): Promise<Task> {
    const command = await this.command(leg.asset_id, { verb: leg.verb, params: leg.params }, ask);
    const task = command.task_id === null ? null : this.book.task(command.task_id);
    if (!task) throw new Fault('conflict', `${leg.verb} is no task`);
    return task;
  }

  /** The newest first; those that are flown now as they stand now. */
  tasks(limit: number): Task[] {
    return this.book.tasks(limit).map((task) => this.#live(task.id) ?? task);
  }

  task(id: string): Task | null {
    return this.#live(id) ?? this.book.task(id);
  }

  /** Ends a task by a person's word. A task that moves its vehicle has it hold; one that turns a camera does not. */
  async cancel(
    taskId: string,
    reason: string | null,
    by: Actor,
    { key, operator }: Pick<Ask, 'key' | 'operator'> = { key: null, operator: null },
  ): Promise<Task> {
    const task = this.task(taskId);
    if (!task) throw new Fault('not_found', `there is no task with the id ${taskId} in this workspace`);
    if (isOver(task.state)) throw new Fault('conflict', `the task is over: it is ${task.state}`);
    const asset = this.#rim.asset(task.asset_id);
    const ask = { by, key, operator, why: reason, engagementId: null };
    const holds = verbs[task.verb].class !== 'observation';
    const said = { ...(operator === null ? {} : { operator }), verb: holds ? 'hold' : task.verb };
    // Who may not say hold may not have a vehicle fly on unwatched either.
    if (asset) this.#admission.requireMay(asset, said, ask);
    this.cancelTask(taskId, reason ?? 'a person ended it', by);
    // Where it cannot be told to hold now, it holds where it was told to fly last.
    if (holds)
      await this.command(task.asset_id, { verb: 'hold' }, ask, 'stop').catch((thrown) => {
        if (!(thrown instanceof Fault)) throw thrown;
      });
    return this.task(taskId) ?? task;
  }

  #live(taskId: string): Task | null {
    for (const { task } of this.#running.values()) if (task?.task.id === taskId) return task.task;
    return null;
  }

  /** Why a vehicle could not be told this now; null where nothing stands against it. */
  check(assetId: string, verb: Verb, params: CommandParams, given: Given = {}): Refusal | null {
    const vehicle = this.#rim.fleet.vehicleOf(assetId);
    const name = this.#rim.asset(assetId)?.name ?? assetId;
    if (!vehicle) return { reason: 'link_down', text: `${verb} is not available on ${name}: it was never heard` };
    if (!this.#rim.fleet.advertised(vehicle).includes(verb))
      return { reason: 'not_advertised', text: `${verb} is not advertised by ${name}` };
    return refusalOf(this.#rim, verb, params, { id: assetId, name }, vehicle, given);
  }

  /** The first straight way of it, where it has one. */
  way(vehicle: Vehicle, assetId: string, verb: Verb, params: CommandParams, liftM = 0): Way | null {
    const way = wayOf(this.#rim, vehicle, assetId, verb, params, liftM);
    return way === null || 'reason' in way ? null : way;
  }

  cancelTask(taskId: string, reason: string, by: Actor): boolean {
    for (const running of this.#running.values()) {
      if (running.task?.task.id !== taskId) continue;
      this.#finish(running, 'cancelled', reason, by);
      return true;
    }
    return false;
  }

  /** Whatever a vehicle does is over, but verbs in `kept`: its asset is gone, or it is told to hold. */
  endAsset(assetId: string, state: CommandState, reason: string, by: Actor, kept: readonly Verb[] = []): void {
    for (const running of [...this.#running.values()]) {
      const { asset_id: id, verb } = running.command;
      if (id === assetId && !kept.includes(verb)) this.#finish(running, state, reason, by);
    }
  }

  taskOf(assetId: string): Task | null {
    for (const { command, task } of this.#running.values()) {
      if (command.asset_id === assetId && task) return task.task;
    }
    return null;
  }

  onTask(listener: (task: Task) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #begin({ verb, params, asset, vehicle, expiresMs, commandId }: Admitted, ask: Ask): Promise<Command> {
    const rim = this.#rim;
    const nowText = timeOf(rim, rim.nowMs());
    const slot = verbs[verb].class === 'observation' ? 'looks' : 'moves';
    // Of a plan every leg is followed, short ones too.
    const task =
      isFlown(verb, params) || ask.engagementId !== null
        ? new LiveTask({
            id: randomUUID(),
            engagementId: ask.engagementId,
            commandId,
            assetId: asset.id,
            verb,
            params,
            nowText,
            provenance: rim.provenance,
          })
        : null;
    const command: Command = {
      ...{ command_id: commandId, verb, asset_id: asset.id, state: 'created', reason: null, params },
      ...{ by: ask.by, operator: ask.operator, why: ask.why, task_id: task?.task.id ?? null, attempts: 0 },
      link_id: rim.fleet.linkIdOf(vehicle),
      ...{ accepted_at: nowText, sent_at: null, expires_at: timeOf(rim, expiresMs), updated_at: nowText },
      provenance: rim.provenance,
    };
    // Written before anything is sent: what a vehicle does, somebody answers for.
    this.#open(command, ask.by, task);
    const writeSuperseded = this.#supersede(asset.id, slot, verb, ask.by);
    let tellSent: () => void = () => {};
    const sent = new Promise<void>((resolve) => {
      tellSent = resolve;
    });
    const flight = new Flight(rim.fleet, { vehicle, assetId: asset.id, verb }, expiresMs, {
      sent: (attempts) => {
        this.#sent(running, attempts);
        tellSent();
      },
      accepted: () => this.#advance(running, 'accepted'),
      executing: () => {
        if (running.command.state === 'accepted') this.#advance(running, 'executing');
      },
    });
    const running: Running = { command, flight, vehicle, task, slot };
    this.#running.set(commandId, running);
    if (slot === 'moves') vehicle.targets.isWatched = true;
    if (task) task.onChange = () => this.#taskMoved(running);
    void this.#fly(running).finally(tellSent);
    this.book.tell();
    await sent;
    // Once the new one is on its way: the disk takes longer than the air.
    writeSuperseded();
    const now = this.book.get(commandId) ?? running.command;
    if (now.sent_at === null && isOver(now.state) && now.state !== 'done') {
      throw new Fault('conflict', `${verb} was not sent to ${asset.name}: ${now.reason ?? now.state}`);
    }
    return this.book.answered(now);
  }

  /** A full disk refuses what moves a vehicle, and not what stops it or brings it home. */
  #open(command: Command, by: Actor, task: LiveTask | null): void {
    try {
      this.book.begin(command, by, task?.task ?? null);
    } catch (thrown) {
      if (verbs[command.verb].class !== 'safer') throw thrown;
      this.book.oweBegin(command, by, task?.task ?? null);
      this.#rim.note('command.not_written', 'warning', sentenceOf(thrown), null);
    }
  }

  async #fly(running: Running): Promise<void> {
    try {
      const done = await procedureOf(this.#rim, running.flight, running.command, running.task);
      this.#finish(running, 'done', done, systemActor);
    } catch (thrown) {
      if (thrown instanceof Ended) this.#finish(running, thrown.state, thrown.message, systemActor);
      else this.#finish(running, 'failed', sentenceOf(thrown), systemActor);
    }
  }

  /** Nothing more is sent of what a new command takes the place of; returned is how that is written down. */
  #supersede(assetId: string, slot: Running['slot'], verb: Verb, by: Actor): () => void {
    const over: Running[] = [];
    for (const running of [...this.#running.values()]) {
      if (running.command.asset_id !== assetId || running.slot !== slot) continue;
      // A speed is flown by while the rest goes on.
      if (verb === 'set_speed' && running.command.verb !== 'set_speed') continue;
      if (this.#end(running, 'superseded', `${verb} took its place`)) over.push(running);
    }
    return () => {
      for (const running of over) this.#writeEnd(running, by);
    };
  }

  #sent(running: Running, attempts: number): void {
    if (isOver(running.command.state)) return;
    const isFirst = running.command.sent_at === null;
    const nowText = timeOf(this.#rim, this.#rim.nowMs());
    running.command = {
      ...running.command,
      attempts: Math.max(running.command.attempts, attempts),
      updated_at: nowText,
    };
    if (!isFirst) return;
    running.command = { ...running.command, state: 'sent', sent_at: nowText };
    this.#write(running);
  }

  #advance(running: Running, state: 'accepted' | 'executing'): void {
    const order: readonly CommandState[] = ['created', 'sent', 'accepted', 'executing'];
    const was = order.indexOf(running.command.state);
    if (was < 0 || was >= order.indexOf(state)) return;
    running.command = { ...running.command, state, updated_at: timeOf(this.#rim, this.#rim.nowMs()) };
    this.#write(running);
    running.task?.set({ state });
  }

  #write({ command }: Running): void {
    this.#unstopped(command, () => this.book.step(command, systemActor));
  }

  /** A disk that refuses a step stops no vehicle: the step is owed, which is noted once for each command. */
  #unstopped({ command_id }: Command, write: () => void): void {
    const isNoted = this.book.owes(command_id);
    try {
      write();
    } catch (thrown) {
      if (!isNoted) this.#rim.note('command.not_written', 'warning', sentenceOf(thrown), null);
    }
  }

  /** Once a second: what the disk refused, it may take by now. */
  everySecond(): void {
    this.book.settle();
  }

  #finish(running: Running, state: CommandState, reason: string, by: Actor): void {
    if (this.#end(running, state, reason)) this.#writeEnd(running, by);
  }

  /** From now on nothing is sent of it. Whether it had not ended before. */
  #end(running: Running, state: CommandState, reason: string): boolean {
    const { command, task } = running;
    if (!this.#running.delete(command.command_id)) return false;
    const nowText = timeOf(this.#rim, this.#rim.nowMs());
    running.command = { ...command, state, reason, updated_at: nowText };
    task?.end(state, reason, nowText);
    running.flight.end(state, reason);
    return true;
  }

  #writeEnd({ command, task }: Running, by: Actor): void {
    this.#unstopped(command, () => this.book.step(command, by));
    if (task) this.#unstopped(command, () => this.book.putTask(task.task, by));
  }

  #taskMoved({ task }: Running): void {
    if (task && !isOver(task.task.state)) this.#taskChanged(task.task);
  }

  #taskChanged(task: Task): void {
    this.#rim.told.task(task);
    for (const listener of this.#listeners) listener(task);
  }

  #endOf(vehicle: Vehicle, state: CommandState, reason: string, slot?: Running['slot']): void {
    for (const running of [...this.#running.values()]) {
      if (running.vehicle === vehicle && (slot ?? running.slot) === running.slot)
        this.#finish(running, state, reason, systemActor);
    }
  }
}
