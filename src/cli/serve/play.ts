import type { Run } from '../../model/run.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import type { Pacer, Steps } from '../../worlds/driven/pacer.ts';
import type { Act } from './stage.ts';

/** What is played beside the live world, and how fast. */
export type Play = Act & {
  /** What it is called in sentences. */
  name: string;
  steps: Steps;
  pacer: Pacer;
  /** UTC of its world. */
  utcMs(): number;
  isOver(): boolean;
  stop(): Promise<void>;
  /** Of a scenario; a recording and the empty simulated world have none. */
  run: Run | null;
  /** It is over: what came of it is kept. */
  keep(state: 'completed' | 'failed', reason: string | null): void;
  /** Throws a Fault where he does not fit, or nobody can be put in. */
  inject(actor: ScenarioActor): void;
  /** Of a recording: which, and how long it is. */
  recording: { id: string; lengthS: number } | null;
};

/** What a play tells of its own accord. */
export type PlayEvents = {
  /** It came to its end: null, or the sentence of what stopped it. */
  ended(failure: string | null): void;
};
