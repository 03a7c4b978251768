import type { CommandState } from '../../model/command.ts';
import type { Task } from '../../model/task.ts';

/** Progress of a task while it is flown. */
type TaskNews = Partial<Pick<Task, 'state' | 'phase' | 'progress' | 'eta_s' | 'distance_m'>> & {
  breach?: boolean;
};

/** Fields of a task that are known when it begins. */
type BegunTask = Pick<
  Task,
  'id' | 'engagement_id' | 'command_id' | 'asset_id' | 'verb' | 'params' | 'started_at' | 'provenance'
>;

/** Keeps the current document of a task while a vehicle flies it. */
export class LiveTask {
  #task: Task;
  #breaching = false;
  readonly #changed: () => void;

  /** `changed` is called after each `set`. */
  constructor({ started_at, provenance, ...begun }: BegunTask, changed: () => void) {
    this.#changed = changed;
    this.#task = {
      ...{ ...begun, state: 'created', phase: 'going', progress: null, eta_s: null, distance_m: null, closest_m: null },
      ...{ breaches: 0, started_at, ended_at: null, result: null, reason: null, provenance },
    };
  }

  get task(): Task {
    return this.#task;
  }

  set({ breach, ...news }: TaskNews): void {
    const { distance_m: distance } = news;
    const closest = this.#task.closest_m;
    const next: Task = { ...this.#task, ...news };
    if (typeof distance === 'number' && (closest === null || distance < closest)) next.closest_m = distance;
    if (breach !== undefined) {
      if (breach && !this.#breaching) next.breaches++;
      this.#breaching = breach;
    }
    this.#task = next;
    this.#changed();
  }

  end(state: CommandState, reason: string, nowText: string): void {
    const said = state === 'done' ? { result: reason, reason: null, progress: 1 } : { result: null, reason };
    this.#task = { ...this.#task, ...said, state, phase: 'over', eta_s: null, ended_at: nowText };
  }
}
