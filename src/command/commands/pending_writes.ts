import type { Actor } from '../../model/actor.ts';
import type { Command } from '../../model/command.ts';
import type { Task } from '../../model/task.ts';

/** Limit of each map; the oldest entry is dropped first. */
const MOST = 1_000;

type PendingBegin = { command: Command; by: Actor; task: Task | null };

/** Steps of commands and tasks that the disk refused: published as they stand, written once the disk takes them again. */
export class PendingWrites {
  /** Commands of which not even the beginning is written. */
  readonly begun = new Map<string, PendingBegin>();
  readonly commands = new Map<string, { command: Command; by: Actor }>();
  readonly tasks = new Map<string, { task: Task; by: Actor }>();

  get isEmpty(): boolean {
    return this.begun.size + this.commands.size + this.tasks.size === 0;
  }

  has(commandId: string): boolean {
    return this.begun.has(commandId) || this.commands.has(commandId);
  }

  /** Present state of a command that differs from the written one. */
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
