import { type Command, isOver } from '../model/command.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Autonomy } from '../model/posture.ts';
import type { Task } from '../model/task.ts';
import type { Queue } from './listed.ts';

/** Actions about tracks: active tasks, engagements and commands. The row of an ended one is its last. */
export class Actions {
  readonly #queue: Queue;
  readonly #tasks = new Map<string, Task>();
  /** Autonomy in effect: after each start it waits for the confirmation of a person. */
  autonomy: Autonomy = 'advise';

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** Commands are not part of the picture; their steps are published. */
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
