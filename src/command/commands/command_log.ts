import { type Actor, systemActor } from '../../model/actor.ts';
import { type Command, type CommandState, isOver } from '../../model/command.ts';
import type { Severity } from '../../model/event.ts';
import { sentenceOf } from '../../model/fault.ts';
import type { Task } from '../../model/task.ts';
import { formatTime } from '../../model/time.ts';
import { type CommandRows, commandRows } from '../../store/commands.ts';
import { type TaskRows, taskRows } from '../../store/tasks.ts';
import type { ControlDeps } from '../deps.ts';

/** Greatest number of entries in each map of pending writes. Beyond it, the oldest entry is dropped. */
const MOST = 1_000;

type PendingBegin = { command: Command; by: Actor; task: Task | null };

/** Commands and tasks with a failed write. The latest state of each is written once the disk accepts writes again. */
class PendingWrites {
  /** Commands whose first step is not written yet. */
  readonly begun = new Map<string, PendingBegin>();
  readonly commands = new Map<string, { command: Command; by: Actor }>();
  readonly tasks = new Map<string, { task: Task; by: Actor }>();

  get isEmpty(): boolean {
    return this.begun.size + this.commands.size + this.tasks.size === 0;
  }

  has(commandId: string): boolean {
    return this.begun.has(commandId) || this.commands.has(commandId);
  }

  /** Returns the current state of a command if it is newer than the written one. */
  command(commandId: string): Command | undefined {
    return (this.commands.get(commandId) ?? this.begun.get(commandId))?.command;
  }

  task(id: string): Task | undefined {
    return this.tasks.get(id)?.task;
  }

  begin(begun: PendingBegin): void {
    remember(this.begun, begun.command.command_id, begun);
  }

  step(command: Command, by: Actor): void {
    remember(this.commands, command.command_id, { command, by });
  }

  putTask(task: Task, by: Actor): void {
    remember(this.tasks, task.id, { task, by });
  }
}

function remember<T>(of: Map<string, T>, id: string, pending: T): void {
  of.delete(id);
  of.set(id, pending);
  const [oldest] = of.keys();
  if (of.size > MOST && oldest !== undefined) of.delete(oldest);
}

type CommandLogDeps = Pick<ControlDeps, 'state' | 'ledger' | 'workspaceId' | 'asset' | 'publish' | 'note'>;

/** Reason for the end of commands and tasks that were running when the service restarted. */
const RESTARTED = 'the service restarted: the vehicle continues with its last order, or follows its own failsafe';

/**
 * Persists commands and tasks. A step of a command is written with its audit row, then published. If the write fails,
 * the step is published all the same and written later.
 */
export class CommandLog {
  readonly #deps: CommandLogDeps;
  readonly #commands: CommandRows;
  readonly #tasks: TaskRows;
  /** Publishes the step that was written last; null once it is published. */
  #unpublished: (() => void) | null = null;
  readonly #pending = new PendingWrites();

  constructor(deps: CommandLogDeps) {
    this.#deps = deps;
    this.#commands = commandRows(deps.state);
    this.#tasks = taskRows(deps.state);
  }

  get(commandId: string): Command | null {
    return this.#pending.command(commandId) ?? this.#commands.get(this.#deps.workspaceId, commandId);
  }

  ofAsset(assetId: string, limit: number, before: number | null): { rows: Command[]; next: number | null } {
    const { rows, next } = this.#commands.ofAsset(this.#deps.workspaceId, assetId, limit, before);
    return { rows: rows.map((row) => this.#pending.command(row.command_id) ?? row), next };
  }

  task(id: string): Task | null {
    return this.#pending.task(id) ?? this.#tasks.get(this.#deps.workspaceId, id);
  }

  tasks(limit: number): Task[] {
    return this.#tasks.list(this.#deps.workspaceId, limit).map((row) => this.#pending.task(row.id) ?? row);
  }

  /**
   * Ends the commands and tasks that an earlier run of the service left unfinished. Their orders are not sent again.
   * Returns the ended tasks.
   */
  endEarlier(): Task[] {
    const { workspaceId, ledger } = this.#deps;
    for (const command of this.#commands.running(workspaceId)) {
      this.step({ ...command, state: 'failed', reason: RESTARTED, updated_at: ledger.nowText() }, systemActor);
    }
    return this.#tasks.running(workspaceId).map((task) => {
      const ended = {
        state: 'failed',
        phase: 'over',
        reason: RESTARTED,
        ended_at: ledger.nowText(),
        eta_s: null,
      } as const;
      const over = { ...task, ...ended };
      this.putTask(over, systemActor);
      return over;
    });
  }

  /**
   * Writes a step of a command and publishes it. After a failed write the step is published, stays pending, and this
   * method throws.
   */
  step(command: Command, by: Actor): void {
    this.publish();
    try {
      this.#writeBegun(command.command_id);
      const { ledger } = this.#deps;
      ledger.vital(() => ledger.changeUntold(...this.#stepOf(command, by, null)));
    } catch (thrown) {
      this.#pending.step(command, by);
      this.#deps.publish.command(command);
      throw thrown;
    }
    this.#pending.commands.delete(command.command_id);
    this.#publishLater(command, null);
    this.publish();
  }

  /** True while a step of the command is not written to the disk. */
  isPending(commandId: string): boolean {
    return this.#pending.has(commandId);
  }

  /** Keeps the first step of a command pending after a failed write, so that the command runs all the same. */
  deferBegin(command: Command, by: Actor, task: Task | null): void {
    this.#pending.begin({ command, by, task });
  }

  /** Tries to write all pending steps, and stops at the first failure. */
  settle(): void {
    if (this.#pending.isEmpty) return;
    const { begun, commands, tasks } = this.#pending;
    try {
      for (const id of begun.keys()) this.#writeBegun(id);
      for (const { command, by } of commands.values()) this.step(command, by);
      for (const { task, by } of tasks.values()) this.putTask(task, by);
    } catch {
      // The write is tried again after 1 s.
    }
  }

  /**
   * Writes the pending first step of a command. It must be written before the later steps: a first step that is written
   * after them would overwrite them.
   */
  #writeBegun(commandId: string): void {
    const pending = this.#pending.begun.get(commandId);
    if (!pending) return;
    const { ledger } = this.#deps;
    ledger.vital(() => ledger.change(...this.#stepOf(pending.command, pending.by, pending.task)));
    this.#pending.begun.delete(commandId);
  }

  /**
   * Writes the first step of a command, and its task if it has one. The disk is not synced, because sending must not
   * wait: the rows then survive a kill of the service, but not a power cut. `publish` publishes them, and `answered`
   * syncs them to the disk.
   */
  begin(command: Command, by: Actor, task: Task | null): void {
    const { ledger } = this.#deps;
    this.publish();
    ledger.vital(() => ledger.changeUnsynced(...this.#stepOf(command, by, task)));
    this.#publishLater(command, task);
  }

  /**
   * Syncs the disk, so that the command survives a power cut, before the request is answered. A failure is only logged,
   * because the order has been sent already.
   */
  answered(command: Command): Command {
    try {
      this.#deps.ledger.sync();
    } catch (thrown) {
      this.#deps.note('command.not_written', 'warning', sentenceOf(thrown), null);
    }
    return command;
  }

  #stepOf(command: Command, by: Actor, task: Task | null) {
    const work = () => {
      this.#commands.put(this.#deps.workspaceId, command);
      if (task) this.#tasks.put(this.#deps.workspaceId, task);
      return { result: undefined, deed: this.#deed(command, by) };
    };
    return [`The command ${command.command_id}`, work] as const;
  }

  #publishLater(command: Command, task: Task | null): void {
    const { ledger, publish } = this.#deps;
    this.#unpublished = () => {
      ledger.publishNew();
      publish.command(command);
      if (task) publish.task(task);
    };
  }

  publish(): void {
    const publish = this.#unpublished;
    this.#unpublished = null;
    publish?.();
  }

  /**
   * Writes a state of a task and publishes it. After a failed write the state is published, stays pending, and this
   * method throws.
   */
  putTask(task: Task, by: Actor): void {
    this.publish();
    try {
      for (const [id, { task: of }] of this.#pending.begun) if (of?.id === task.id) this.#writeBegun(id);
      const { ledger } = this.#deps;
      ledger.vital(() =>
        ledger.change(`The task ${task.id}`, () => {
          this.#tasks.put(this.#deps.workspaceId, task);
          return { result: undefined, deed: isOver(task.state) ? this.#taskDeed(task, by) : null };
        }),
      );
    } catch (thrown) {
      this.#pending.putTask(task, by);
      this.#deps.publish.task(task);
      throw thrown;
    }
    this.#pending.tasks.delete(task.id);
    this.#deps.publish.task(task);
  }

  /** Records a refusal and its sender in the audit log. */
  refuse(verb: string, asset: { id: string; name: string }, by: Actor, text: string, why: string | null): void {
    const { ledger, workspaceId } = this.#deps;
    ledger.refuse({
      ...{ kind: 'command.refused' as const, text, by, workspaceId, severity: 'notice', reason: why },
      subject: { type: 'asset', id: asset.id, label: asset.name },
      after: { verb },
    });
  }

  #taskDeed(task: Task, by: Actor) {
    const { asset_id, verb, state, reason } = task;
    const common = this.#deedOf(asset_id, state, by);
    const text = `The task ${verb} of ${common.subject.label} is ${state}${reason ? `: ${reason}` : ''}`;
    return { ...common, kind: `task.${state}` as const, text, correlationId: task.engagement_id ?? task.command_id };
  }

  #deedOf(assetId: string, state: CommandState, by: Actor) {
    const label = this.#deps.asset(assetId)?.name ?? assetId;
    const subject = { type: 'asset', id: assetId, label };
    return { by, workspaceId: this.#deps.workspaceId, severity: severityOf(state), subject };
  }

  #deed({ command_id, verb, asset_id, state, reason, params, why, operator }: Command, by: Actor) {
    const common = this.#deedOf(asset_id, state, by);
    const name = common.subject.label;
    const isFirst = state === 'created';
    const what = isFirst ? `${verb} was commanded of ${name}` : `${verb} of ${name} is ${state}`;
    return {
      ...common,
      kind: `command.${state}` as const,
      text: reason === null ? what : `${what}: ${reason}`,
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

/** Formats a world time as RFC 3339 in UTC. */
export function timeOf(deps: Pick<ControlDeps, 'utcMs'>, worldMs: number): string {
  return formatTime(deps.utcMs(worldMs));
}
