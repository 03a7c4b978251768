import type { RunExpectation } from '../../../../model/run.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';
import { LeastDistance, type Point, pointsOf } from './distances.ts';
import type { Of, Told, Watcher } from './watcher.ts';
import { allowed, metres, nameOf, seconds, within } from './words.ts';

/** How near an actor has to come to another, or to a place: over ground where no height of the place is given. */
export class NearWatcher implements Watcher {
  readonly #wanted: Of<'near'>;
  readonly #distance = new LeastDistance();
  #firstS: number | null = null;
  #leastM = Number.POSITIVE_INFINITY;

  constructor(wanted: Of<'near'>) {
    this.#wanted = wanted;
  }

  look(sighting: Sighting, cast: Cast): void {
    const { actor, to, within_m: withinM, from_s: fromS = 0 } = this.#wanted;
    if (sighting.atS < fromS) return;
    const there = 'actor' in to ? pointsOf(sighting, cast, to.actor, true) : new Map([['', placeOf(to)]]);
    const flat = !('actor' in to) && to.height_m === undefined;
    const distanceM = this.#distance.next(pointsOf(sighting, cast, actor, true), there, flat);
    this.#leastM = Math.min(this.#leastM, distanceM);
    if (distanceM <= withinM) this.#firstS ??= sighting.atS;
  }

  result(_told: Told, cast: Cast): RunExpectation {
    const { actor, to, within_m: withinM, by_s: byS } = this.#wanted;
    const where = 'actor' in to ? nameOf(to.actor, cast) : 'the place';
    const pair = `${nameOf(actor, cast)} came`;
    if (this.#firstS === null) {
      const nearest = Number.isFinite(this.#leastM)
        ? `to ${metres(this.#leastM)} of ${where}`
        : `nowhere near ${where}`;
      return { text: `${pair} ${nearest}; ${metres(withinM)} was asked for${within(byS)}`, met: false };
    }
    const met = this.#firstS <= (byS ?? Number.POSITIVE_INFINITY);
    return { text: `${pair} within ${metres(withinM)} of ${where} after ${seconds(this.#firstS)}${allowed(byS)}`, met };
  }
}

function placeOf(to: { east_m: number; north_m: number; height_m?: number | undefined }): Point {
  return [to.east_m, to.north_m, to.height_m ?? 0];
}
