import type { Actor } from '../../model/actor.ts';
import { systemActor } from '../../model/actor.ts';
import { type Command, type CommandState, isOver } from '../../model/command.ts';
import type { Severity } from '../../model/event.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { Task } from '../../model/task.ts';
import { formatTime } from '../../model/time.ts';
import { type CommandRows, commandRows } from '../../store/commands.ts';
import { type TaskRows, taskRows } from '../../store/tasks.ts';
import { Owed } from './owed.ts';
import type { ControlRim } from './rim.ts';

type BookRim = Pick<ControlRim, 'state' | 'ledger' | 'workspaceId' | 'asset' | 'told' | 'note'>;

/** Why a command of an earlier run is over. What the vehicle does now, it does by itself: it holds where it was told to fly last, or its own failsafe brings it home. */
const RESTARTED =
  'the service was started again; the vehicle holds where it was told to fly last, or follows its own failsafe';

/** Commands and tasks as they are kept: each step with its row of the audit log, then told; on the disk when it is answered. */
export class CommandBook {
  readonly #rim: BookRim;
  readonly #commands: CommandRows;
  readonly #tasks: TaskRows;
  /** Tells of what was begun, and not told yet. */
  #untold: (() => void) | null = null;
  readonly #owed = new Owed();

  constructor(rim: BookRim) {
    this.#rim = rim;
    this.#commands = commandRows(rim.state);
    this.#tasks = taskRows(rim.state);
  }

  get(commandId: string): Command | null {
    return this.#owed.command(commandId) ?? this.#commands.get(this.#rim.workspaceId, commandId);
  }

  ofAsset(assetId: string, limit: number, before: number | null): { rows: Command[]; next: number | null } {
    const { rows, next } = this.#commands.ofAsset(this.#rim.workspaceId, assetId, limit, before);
    return { rows: rows.map((row) => this.#owed.command(row.command_id) ?? row), next };
  }

  task(id: string): Task | null {
    return this.#owed.task(id) ?? this.#tasks.get(this.#rim.workspaceId, id);
  }

  tasks(limit: number): Task[] {
    return this.#tasks.list(this.#rim.workspaceId, limit).map((row) => this.#owed.task(row.id) ?? row);
  }

  /** Nothing of an earlier run is sent again: what was on its way is over. Returns the tasks that were. */
  endEarlier(): Task[] {
    const { workspaceId, ledger } = this.#rim;
    for (const command of this.#commands.running(workspaceId)) {
      this.step({ ...command, state: 'failed', reason: RESTARTED, updated_at: ledger.nowText() }, systemActor);
    }
    return this.#tasks.running(workspaceId).map((task) => {
      const over: Task = {
        ...task,
        ...{ state: 'failed', phase: 'over', reason: RESTARTED, ended_at: ledger.nowText(), eta_s: null },
      };
      this.putTask(over, systemActor);
      return over;
    });
  }

  /** A step of a command. On the disk, and told, when it returns; where the disk refuses, it is told, owed, and this throws. */
  step(command: Command, by: Actor): void {
    this.tell();
    try {
      this.#writeBegun(command.command_id);
      const { ledger } = this.#rim;
      ledger.vital(() => ledger.changeUntold(...this.#stepOf(command, by, null)));
    } catch (thrown) {
      this.#owed.step(command, by);
      this.#rim.told.command(command);
      throw thrown;
    }
    this.#owed.commands.delete(command.command_id);
    this.#tellLater(command, null);
    this.tell();
  }

  /** Something of it is not on the disk. */
  owes(commandId: string): boolean {
    return this.#owed.has(commandId);
  }

  /** A command goes on though not even its beginning could be written. */
  oweBegin(command: Command, by: Actor, task: Task | null): void {
    this.#owed.begin({ command, by, task });
  }

  /** Writes what is owed, as far as the disk takes it. */
  settle(): void {
    if (this.#owed.isEmpty) return;
    const { begun, commands, tasks } = this.#owed;
    try {
      for (const id of begun.keys()) this.#writeBegun(id);
      for (const { command, by } of commands.values()) this.step(command, by);
      for (const { task, by } of tasks.values()) this.putTask(task, by);
    } catch {
      // It is tried again in a second.
    }
  }

  /** What follows of a command comes behind its beginning, which would else undo it. */
  #writeBegun(commandId: string): void {
    const owed = this.#owed.begun.get(commandId);
    if (!owed) return;
    const { ledger } = this.#rim;
    ledger.vital(() => ledger.change(...this.#stepOf(owed.command, owed.by, owed.task)));
    this.#owed.begun.delete(commandId);
  }

  /**
   * The first step of a command, and with it the task that it begins. The vehicle comes first: written when this returns, so
   * that a killed service knows of it, told by `tell`, and safe from a power cut once it is `answered`.
   */
  begin(command: Command, by: Actor, task: Task | null): void {
    const { ledger } = this.#rim;
    this.tell();
    ledger.vital(() => ledger.changeUnsynced(...this.#stepOf(command, by, task)));
    this.#tellLater(command, task);
  }

  /** A command as it is answered: what was begun survives a power cut from now on. Where the disk refuses that, a row of the log says so, since the vehicle was told already. */
  answered(command: Command): Command {
    try {
      this.#rim.ledger.sync();
    } catch (thrown) {
      this.#rim.note('command.not_written', 'warning', sentenceOf(thrown), null);
    }
    return command;
  }

  #stepOf(command: Command, by: Actor, task: Task | null) {
    const work = () => {
      this.#commands.put(this.#rim.workspaceId, command);
      if (task) this.#tasks.put(this.#rim.workspaceId, task);
      return { result: undefined, deed: this.#deed(command, by) };
    };
    return [`The command ${command.command_id}`, work] as const;
  }

  #tellLater(command: Command, task: Task | null): void {
    const { ledger, told } = this.#rim;
    this.#untold = () => {
      ledger.tellNew();
      told.command(command);
      if (task) told.task(task);
    };
  }

  tell(): void {
    const tell = this.#untold;
    this.#untold = null;
    tell?.();
  }

  /** As `step`, of a task. */
  putTask(task: Task, by: Actor): void {
    this.tell();
    try {
      for (const [id, { task: of }] of this.#owed.begun) if (of?.id === task.id) this.#writeBegun(id);
      const { ledger } = this.#rim;
      ledger.vital(() =>
        ledger.change(`The task ${task.id}`, () => {
          this.#tasks.put(this.#rim.workspaceId, task);
          return { result: undefined, deed: isOver(task.state) ? this.#taskDeed(task, by) : null };
        }),
      );
    } catch (thrown) {
      this.#owed.putTask(task, by);
      this.#rim.told.task(task);
      throw thrown;
    }
    this.#owed.tasks.delete(task.id);
    this.#rim.told.task(task);
  }

  /** What was refused, and to whom. */
  refuse(verb: string, asset: { id: string; name: string }, by: Actor, text: string, why: string | null): void {
    const { ledger, workspaceId } = this.#rim;
    ledger.note({
      ...{ kind: 'command.refused', text, by, workspaceId, severity: 'notice', reason: why },
      subject: { type: 'asset', id: asset.id, label: asset.name },
      after: { verb },
    });
  }

  #taskDeed(task: Task, by: Actor) {
    const name = this.#rim.asset(task.asset_id)?.name ?? task.asset_id;
    return {
      kind: `task.${task.state}`,
      text: `The task ${task.verb} of ${name} is ${task.state}${task.reason ? `: ${task.reason}` : ''}`,
      by,
      workspaceId: this.#rim.workspaceId,
      severity: severityOf(task.state),
      subject: { type: 'asset', id: task.asset_id, label: name },
      correlationId: task.engagement_id ?? task.command_id,
    };
  }

  #deed({ command_id, verb, asset_id, state, reason, params, why, operator }: Command, by: Actor) {
    const name = this.#rim.asset(asset_id)?.name ?? asset_id;
    const isFirst = state === 'created';
    const what = isFirst ? `${verb} was commanded of ${name}` : `${verb} of ${name} is ${state}`;
    return {
      kind: `command.${state}`,
      text: reason === null ? what : `${what}: ${reason}`,
      by,
      workspaceId: this.#rim.workspaceId,
      severity: severityOf(state),
      subject: { type: 'asset', id: asset_id, label: name },
      after: isFirst ? { verb, params, operator } : { state },
      reason: isFirst ? why : reason,
      correlationId: command_id,
    };
  }
}

function severityOf(state: CommandState): Severity {
  if (state === 'created') return 'notice';
  return ['failed', 'timed_out', 'rejected', 'expired'].includes(state) ? 'warning' : 'info';
}

/** A time of the world as documents carry it. */
export function timeOf(rim: Pick<ControlRim, 'utcMs'>, worldMs: number): string {
  return formatTime(rim.utcMs(worldMs));
}
