import type { Actor } from '../../model/actor.ts';
import type { Command } from '../../model/command.ts';
import type { Task } from '../../model/task.ts';

/** Of so many it is remembered at most; the oldest are forgotten first. */
const MOST = 1_000;

export type OwedBegin = { command: Command; by: Actor; task: Task | null };

/** What the disk refused to take of commands and tasks: it is told as it stands, and written once the disk takes it again. */
export class Owed {
  /** Commands of which not even the beginning is written. */
  readonly begun = new Map<string, OwedBegin>();
  readonly commands = new Map<string, { command: Command; by: Actor }>();
  readonly tasks = new Map<string, { task: Task; by: Actor }>();

  get isEmpty(): boolean {
    return this.begun.size + this.commands.size + this.tasks.size === 0;
  }

  has(commandId: string): boolean {
    return this.begun.has(commandId) || this.commands.has(commandId);
  }

  /** As it stands, where that is not what is written. */
  command(commandId: string): Command | undefined {
    return (this.commands.get(commandId) ?? this.begun.get(commandId))?.command;
  }

  task(id: string): Task | undefined {
    return this.tasks.get(id)?.task;
  }

  begin(begun: OwedBegin): void {
    remember(this.begun, begun.command.command_id, begun);
  }

  step(command: Command, by: Actor): void {
    remember(this.commands, command.command_id, { command, by });
  }

  putTask(task: Task, by: Actor): void {
    remember(this.tasks, task.id, { task, by });
  }
}

function remember<T>(of: Map<string, T>, id: string, owed: T): void {
  of.delete(id);
  of.set(id, owed);
  const [oldest] = of.keys();
  if (of.size > MOST && oldest !== undefined) of.delete(oldest);
}
