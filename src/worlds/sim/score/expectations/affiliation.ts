import type { RunExpectation } from '../../../../model/run.ts';
import type { Track } from '../../../../model/track.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';
import { type Of, type Told, tracksOfActor, type Watcher } from './watcher.ts';
import { nameOf, seconds } from './words.ts';

/** Whom an actor's track has to be held for: once, or whenever it has one. */
export class AffiliationWatcher implements Watcher {
  readonly #wanted: Of<'affiliation'>;
  #firstS: number | null = null;
  #other: { affiliation: Track['affiliation']; atS: number } | null = null;

  constructor(wanted: Of<'affiliation'>) {
    this.#wanted = wanted;
  }

  look(sighting: Sighting, cast: Cast): void {
    for (const { affiliation } of tracksOfActor(sighting, cast, this.#wanted.actor)) {
      if (affiliation === this.#wanted.is) this.#firstS ??= sighting.atS;
      else this.#other ??= { affiliation, atS: sighting.atS };
    }
  }

  result(_told: Told, cast: Cast): RunExpectation {
    const { actor, is, always } = this.#wanted;
    const who = nameOf(actor, cast);
    if (this.#firstS === null && this.#other === null)
      return { text: `${who} never had a confirmed track; it was to be held for ${is}`, met: false };
    if (always && this.#other !== null) {
      const { affiliation, atS } = this.#other;
      return {
        text: `${who} was held for ${affiliation} after ${seconds(atS)}; it was to be ${is} always`,
        met: false,
      };
    }
    if (always) return { text: `${who} was held for ${is} whenever it had a confirmed track`, met: true };
    if (this.#firstS === null) return { text: `${who} was never held for ${is}`, met: false };
    return { text: `${who} was held for ${is} after ${seconds(this.#firstS)}`, met: true };
  }
}
