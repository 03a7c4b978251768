import type { Observation } from '../../model/observation.ts';
import type { ObservationBatch } from '../../model/observation_row.ts';
import { OBSERVED } from '../../model/rows/layouts.ts';
import type { CoreOutput } from '../../model/track_row.ts';
import { Packer } from './pack.ts';

/**
 * Greatest number of observations whose track is not known yet: plots wait for the rest of their scan. Beyond it the oldest
 * gets no track.
 */
const MAX_UNASSIGNED = 20_000;

/** Receives the number of the track that an observation went to: 0 for none, negative where its place was held back. */
export type Assigned = (observation: Observation, number: number) => void;

/** Observations sent to a core, until it answers which track each went to. */
export class SentObservations {
  readonly #packer: Packer;
  /** By their sequence, in order. */
  readonly #unassigned = new Map<number, Observation>();
  readonly #assigned: Assigned;
  #sequence = 0;

  constructor(sensorIndex: (sensorId: string) => number, assigned: Assigned) {
    this.#packer = new Packer(sensorIndex);
    this.#assigned = assigned;
  }

  pack(observations: readonly Observation[]): ObservationBatch {
    const rows = new Float64Array(observations.length * OBSERVED.width);
    observations.forEach((observation, i) => {
      this.#packer.pack(observation, ++this.#sequence, rows, i * OBSERVED.width);
      // A refused observation has its outcome already, and the begin of a turn has none.
      if (observation.use !== 'evidence' && observation.use !== 'scan')
        this.#unassigned.set(this.#sequence, observation);
    });
    return { rows, dossiers: this.#packer.takeDossiers() };
  }

  /** Settles the observations of an output; call after the output was taken, so that their tracks are known. */
  settle({ assigned }: CoreOutput): void {
    for (let i = 0; i < assigned.length; i += 2) this.#assign(assigned[i] ?? 0, assigned[i + 1] ?? 0);
    for (const sequence of this.#unassigned.keys()) {
      if (this.#unassigned.size <= MAX_UNASSIGNED) break;
      this.#assign(sequence, 0);
    }
  }

  /** Notes that the core died and another one begins empty: unanswered observations belong to no track. */
  lose(): void {
    this.#packer.publishAll();
    for (const observation of this.#unassigned.values()) this.#assigned(observation, 0);
    this.#unassigned.clear();
  }

  #assign(sequence: number, number: number): void {
    const observation = this.#unassigned.get(sequence);
    if (!observation) return;
    this.#unassigned.delete(sequence);
    this.#assigned(observation, number);
  }
}
