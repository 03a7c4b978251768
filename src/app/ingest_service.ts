import type { ObservationDocument } from '../model/observation.ts';
import type { World } from '../world/world.ts';

export type IngestAnswer = { accepted: number; duplicates: number; rejected: { index: number; error: string }[] };

/** Takes observations from HTTP requests into the live world. */
export class IngestService {
  readonly #world: Pick<World, 'rows' | 'recorderHook'>;
  readonly #nowMs: () => number;

  constructor(world: Pick<World, 'rows' | 'recorderHook'>, nowMs: () => number) {
    this.#world = world;
    this.#nowMs = nowMs;
  }

  /** Takes validated observations, at most 500 per call. `index` in `rejected` is the index of the row in `rows`. */
  take(rows: readonly ObservationDocument[]): IngestAnswer {
    const answer: IngestAnswer = { accepted: 0, duplicates: 0, rejected: [] };
    const nowMs = this.#nowMs();
    this.#world.recorderHook.recorder?.ingest(rows, nowMs);
    rows.forEach((row, index) => {
      const outcome = this.#world.rows.take(row, null, nowMs);
      if (outcome === 'accepted') answer.accepted++;
      else if (outcome === 'duplicate') answer.duplicates++;
      else answer.rejected.push({ index, error: outcome.error });
    });
    return answer;
  }
}
