import type { Command } from '../model/command.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Autonomy } from '../model/posture.ts';
import type { Task } from '../model/task.ts';
import type { Actions } from '../picture/actions.ts';
import type { DeltaStream } from './delta_stream.ts';

/** What is done about tracks, as those who watch a world see it. */
export class ShownActions {
  readonly #actions: Actions;
  readonly #stream: DeltaStream;

  constructor(actions: Actions, stream: DeltaStream) {
    this.#actions = actions;
    this.#stream = stream;
  }

  /** Who holds the engagements that are shown. */
  begin(open: () => Engagement[]): void {
    this.#actions.engagements = open;
  }

  /** A command came a step further. */
  command(command: Command): void {
    this.#actions.command(command);
    this.#stream.plan();
  }

  task(task: Task): void {
    this.#actions.task(task);
    this.#stream.plan();
  }

  engagement(row: Engagement): void {
    this.#actions.engagement(row);
    this.#stream.plan();
  }

  autonomy(effective: Autonomy): void {
    this.#actions.autonomy = effective;
  }

  /** For how long a picture of this number shows no longer what holds; null where that is not known, or of another epoch. */
  seqAgeMs(seq: number, epoch: string | null): number | null {
    return this.#stream.ageMs(seq, epoch);
  }
}
