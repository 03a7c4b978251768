import type { Run } from '../../model/run.ts';
import type { Drive } from '../../worlds/driven/drive.ts';
import type { Pacer } from '../../worlds/driven/pacer.ts';
import type { Simulation } from './simulation.ts';
import type { Act } from './stage.ts';

/** What is played beside the live world, and how fast. */
export type Play = Act & {
  drive(): Drive;
  pacer: Pacer;
  nowMs(): number;
  isOver(): boolean;
  stop(): Promise<void>;
  /** Of a scenario; the empty simulated world has no run. */
  simulation: Simulation | null;
  run: Run | null;
};
