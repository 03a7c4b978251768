import type { Command, CommandState } from '../../model/command.ts';
import type { Task } from '../../model/task.ts';

const failures: ReadonlySet<CommandState> = new Set(['failed', 'rejected', 'expired', 'timed_out']);

/**
 * Outcomes of tasks, and of commands outside any task. A cancelled or superseded one has neither succeeded nor failed.
 */
export class TaskTally {
  readonly #ends = new Map<string, CommandState>();

  task({ id, state }: Task): void {
    this.#ends.set(`task ${id}`, state);
  }

  command({ command_id, task_id, state }: Command): void {
    if (task_id === null) this.#ends.set(`command ${command_id}`, state);
    else this.#ends.delete(`command ${command_id}`);
  }

  get done(): number {
    return this.#count((state) => state === 'done');
  }

  get failed(): number {
    return this.#count((state) => failures.has(state));
  }

  #count(is: (state: CommandState) => boolean): number {
    return [...this.#ends.values()].filter(is).length;
  }
}
