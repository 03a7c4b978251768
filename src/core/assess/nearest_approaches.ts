import type { NearestApproach } from '../../model/assessment.ts';
import type { AreaRelations } from './area_relations.ts';
import type { Watched } from './watched.ts';

/** Least decrease of the distance that is published, m; a decrease to 0 is published whatever its size. */
const NEARER_M = 1;
const REPORT_EVERY_MS = 1_000;

type Approach = { nearest: NearestApproach; reportedM: number; reportedMs: number };

/**
 * Nearest approach of each track to the assets and the zones of kind `protected`. Publishes a value when it decreases.
 */
export class NearestApproaches {
  readonly #approaches = new Map<number, Approach>();
  readonly #due: NearestApproach[] = [];

  /**
   * Updates the nearest approach of a track from its present distances to the areas. Publishes a decrease at most once
   * a second.
   */
  take({ number, record, state }: Watched, relations: AreaRelations, nowMs: number): void {
    // Only confirmed tracks count: a coasting track has only a predicted position, and a tentative one may not exist.
    const row = state === 'confirmed' ? relations.nearestProtected() : -1;
    const approach = this.#approaches.get(number);
    if (row >= 0) {
      const { kind, id, name, distanceM } = relations.at(row);
      const apartM = Math.max(0, distanceM);
      if (apartM < (approach?.nearest.distanceM ?? Number.POSITIVE_INFINITY)) {
        const nearest = { number, trackId: record.id, kind, id, name, distanceM: apartM, atMs: nowMs };
        if (approach) approach.nearest = nearest;
        else this.#approaches.set(number, { nearest, reportedM: Number.POSITIVE_INFINITY, reportedMs: -Infinity });
      }
    }
    const known = this.#approaches.get(number);
    if (known && nowMs - known.reportedMs >= REPORT_EVERY_MS) this.#report(known, nowMs);
  }

  /** Removes an ended track, and publishes its nearest approach if a decrease is not published yet. */
  forget(number: number, nowMs: number): void {
    const approach = this.#approaches.get(number);
    this.#approaches.delete(number);
    if (approach) this.#report(approach, nowMs);
  }

  takeDue(): NearestApproach[] {
    return this.#due.splice(0);
  }

  #report(approach: Approach, nowMs: number): void {
    const { nearest, reportedM } = approach;
    if (reportedM - nearest.distanceM < (nearest.distanceM === 0 ? Number.MIN_VALUE : NEARER_M)) return;
    approach.reportedM = nearest.distanceM;
    approach.reportedMs = nowMs;
    this.#due.push(nearest);
  }
}
