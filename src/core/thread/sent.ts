import type { Observation } from '../../model/observation.ts';
import type { ObservationBatch } from '../../model/observation_row.ts';
import { OBSERVED } from '../../model/rows/layouts.ts';
import type { CoreOutput } from '../../model/track_row.ts';
import { Packer } from './pack.ts';
import { Unassigned } from './unassigned.ts';

/**
 * Greatest number of observations whose track is not known yet; a plot gets its track only when its scan is complete.
 * Beyond this number, the oldest observation counts as without a track.
 */
const MAX_UNASSIGNED = 20_000;
/** Greatest number of later observations after which an observation still gets its track; at 2 000 a second, 65 s. */
const MAX_LATER = 131_072;

/**
 * Receives the number of the track that an observation was assigned to: 0 for none, negative if its position was
 * withheld from the tracker.
 */
export type Assigned = (observation: Observation, number: number) => void;

/** Observations that were sent to a core and wait until the core reports their tracks. */
export class SentObservations {
  readonly #packer: Packer;
  readonly #unassigned = new Unassigned();
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
      // The core reports no track for a refused observation (`evidence`), whose outcome is known, or for the start of a
      // turn of the antenna (`scan`).
      if (observation.use !== 'evidence' && observation.use !== 'scan')
        this.#unassigned.add(this.#sequence, observation);
    });
    return { rows, dossiers: this.#packer.takeDossiers() };
  }

  /**
   * Reports the tracks of the observations that an output assigns. Call it after the output was published, so that
   * these tracks are known.
   */
  settle({ assigned }: CoreOutput): void {
    for (let i = 0; i < assigned.length; i += 2) this.#assign(assigned[i] ?? 0, assigned[i + 1] ?? 0);
    while (this.#unassigned.size > MAX_UNASSIGNED || this.#unassigned.span > MAX_LATER) this.#loseOldest();
  }

  /**
   * Handles the end of a core that is replaced by an empty one. Observations that wait for their track are reported
   * without one, and all dossiers are sent again.
   */
  lose(): void {
    this.#packer.publishAll();
    while (this.#unassigned.size > 0) this.#loseOldest();
  }

  #assign(sequence: number, number: number): void {
    const observation = this.#unassigned.take(sequence);
    if (observation) this.#assigned(observation, number);
  }

  #loseOldest(): void {
    const observation = this.#unassigned.takeOldest();
    if (observation) this.#assigned(observation, 0);
  }
}
