import { type Command, isOver } from '../model/command.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Autonomy } from '../model/posture.ts';
import type { Task } from '../model/task.ts';
import type { Queue } from './listed.ts';

/** Active tasks, and the events of tasks, engagements and commands. The last event of a task states that it ended. */
export class Actions {
  readonly #queue: Queue;
  readonly #tasks = new Map<string, Task>();
  /**
   * Effective autonomy. After each start of the service, it is at most `advise` until a person confirms a higher one.
   */
  autonomy: Autonomy = 'advise';

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** Publishes a step of a command. Commands are not part of the picture. */
  command(command: Command): void {
    this.#queue('command_update', command.command_id, command);
  }

  task(task: Task): void {
    if (isOver(task.state)) this.#tasks.delete(task.id);
    else this.#tasks.set(task.id, task);
    this.#queue('task_update', task.id, task);
  }

  engagement(row: Engagement): void {
    this.#queue('engagement_update', row.id, row);
  }

  /** Active tasks, for a snapshot. */
  tasks(): Task[] {
    return [...this.#tasks.values()];
  }
}
