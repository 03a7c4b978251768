import { type Command, isOver } from '../model/command.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Autonomy } from '../model/posture.ts';
import type { Task } from '../model/task.ts';
import type { Queue } from './listed.ts';

/** Actions about tracks: active tasks, engagements and commands. The last published row of each is its end. */
export class Actions {
  readonly #queue: Queue;
  readonly #tasks = new Map<string, Task>();
  /** Effective autonomy: after each start it waits for a person's confirmation. */
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

  /** Tasks of a snapshot. */
  tasks(): Task[] {
    return [...this.#tasks.values()];
  }
}
