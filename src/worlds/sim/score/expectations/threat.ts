import { type ThreatLevel, threatLevels } from '../../../../model/posture.ts';
import type { RunExpectation } from '../../../../model/run.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';
import { type Of, type Told, tracksOfActor, type Watcher } from './watcher.ts';
import { allowed, nameOf, seconds, within } from './words.ts';

/** How great a threat an actor has to be held for, and how great it may never be. */
export class ThreatWatcher implements Watcher {
  readonly #wanted: Of<'threat'>;
  #reachedS: number | null = null;
  #greatest: ThreatLevel = 'none';

  constructor(wanted: Of<'threat'>) {
    this.#wanted = wanted;
  }

  look(sighting: Sighting, cast: Cast): void {
    const { actor, at_least: least } = this.#wanted;
    for (const { id } of tracksOfActor(sighting, cast, actor)) {
      const level = sighting.levelOf(id);
      if (rank(level) > rank(this.#greatest)) this.#greatest = level;
      if (least !== undefined && rank(level) >= rank(least)) this.#reachedS ??= sighting.atS;
    }
  }

  result(_told: Told, cast: Cast): RunExpectation {
    const { actor, at_least: least, at_most: most, by_s: byS } = this.#wanted;
    const who = nameOf(actor, cast);
    const greatest = `the greatest threat of ${who} was ${this.#greatest}`;
    const calm = most === undefined || rank(this.#greatest) <= rank(most);
    if (!calm || least === undefined)
      return { text: `${greatest}; at most ${most ?? 'critical'} was allowed`, met: calm };
    if (this.#reachedS === null) return { text: `${greatest}; ${least} was to be reached${within(byS)}`, met: false };
    const met = this.#reachedS <= (byS ?? Number.POSITIVE_INFINITY);
    return { text: `the threat of ${who} was ${least} or more after ${seconds(this.#reachedS)}${allowed(byS)}`, met };
  }
}

function rank(level: ThreatLevel): number {
  return threatLevels.indexOf(level);
}
