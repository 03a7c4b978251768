import { type Command, isOver } from '../model/command.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Picture } from '../model/picture.ts';
import type { Autonomy } from '../model/posture.ts';
import type { Task } from '../model/task.ts';
import type { Queue } from './listed.ts';

/** What is done about tracks: the tasks that are flown and the engagements that are open. The row that says that one is over is its last. */
export class Actions {
  readonly #queue: Queue;
  readonly #tasks = new Map<string, Task>();
  /** Who holds the engagements that are open. */
  engagements: () => Engagement[] = () => [];
  /** What may start by itself now: after each start it waits for a person to confirm it. */
  autonomy: Autonomy = 'advise';

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** A command is no part of the picture: who watches is told of its steps. */
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

  /** As a picture has them. */
  all(): Pick<Picture, 'tasks' | 'engagements'> {
    return { tasks: [...this.#tasks.values()], engagements: this.engagements() };
  }
}
