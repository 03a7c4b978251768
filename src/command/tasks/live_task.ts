import type { CommandParams, CommandState } from '../../model/command.ts';
import type { Task } from '../../model/task.ts';
import type { Provenance } from '../../model/track.ts';
import type { Verb } from '../../model/verb.ts';

/** What is told of a task while it is flown. */
export type TaskNews = Partial<Pick<Task, 'state' | 'phase' | 'progress' | 'eta_s' | 'distance_m'>> & {
  breach?: boolean;
};

/** A task while a vehicle flies it. */
export class LiveTask {
  #task: Task;
  #breaching = false;
  onChange: () => void = () => {};

  constructor(of: {
    id: string;
    engagementId: string | null;
    commandId: string;
    assetId: string;
    verb: Verb;
    params: CommandParams;
    nowText: string;
    provenance: Provenance;
  }) {
    this.#task = {
      ...{ id: of.id, engagement_id: of.engagementId, command_id: of.commandId, asset_id: of.assetId },
      ...{ verb: of.verb, params: of.params, state: 'created', phase: 'going', progress: null, eta_s: null },
      ...{ distance_m: null, closest_m: null, breaches: 0, started_at: of.nowText, ended_at: null },
      ...{ result: null, reason: null, provenance: of.provenance },
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
    this.onChange();
  }

  end(state: CommandState, reason: string, nowText: string): Task {
    const isDone = state === 'done';
    const said = isDone ? { result: reason, reason: null, progress: 1 } : { result: null, reason };
    this.#task = { ...this.#task, ...said, state, phase: 'over', eta_s: null, ended_at: nowText };
    return this.#task;
  }
}
