import type { RunExpectation } from '../../../../model/run.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';
import { LeastDistance, pointsOf } from './distances.ts';
import type { Of, Told, Watcher } from './watcher.ts';
import { metres, nameOf, seconds } from './words.ts';

/** How far two actors have to stay from each other for as long as both fly. */
export class ApartWatcher implements Watcher {
  readonly #wanted: Of<'apart'>;
  readonly #distance = new LeastDistance();
  #least = { metres: Number.POSITIVE_INFINITY, atS: 0 };

  constructor(wanted: Of<'apart'>) {
    this.#wanted = wanted;
  }

  look(sighting: Sighting, cast: Cast): void {
    const [a, b] = this.#wanted.actors;
    const distanceM = this.#distance.next(
      pointsOf(sighting, cast, a, false),
      pointsOf(sighting, cast, b, false),
      false,
    );
    if (distanceM < this.#least.metres) this.#least = { metres: distanceM, atS: sighting.atS };
  }

  result(_told: Told, cast: Cast): RunExpectation {
    const { actors, at_least_m: leastM } = this.#wanted;
    const [a, b] = actors.map((actor) => nameOf(actor, cast));
    if (!Number.isFinite(this.#least.metres))
      return { text: `${a} and ${b} were never in the air together`, met: true };
    const nearest = `${a} and ${b} came to ${metres(this.#least.metres)} of each other after ${seconds(this.#least.atS)}`;
    return { text: `${nearest}; at least ${metres(leastM)} was to be kept`, met: this.#least.metres >= leastM };
  }
}
