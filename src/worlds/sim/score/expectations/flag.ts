import type { RunExpectation } from '../../../../model/run.ts';
import type { Track } from '../../../../model/track.ts';
import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';
import { type Of, type Told, tracksOfActor, type Watcher } from './watcher.ts';
import { allowed, nameOf, seconds, within } from './words.ts';

/** What has to be said against a track of an actor: one of its flags, a reason of its integrity, or the verdict. */
export class FlagWatcher implements Watcher {
  readonly #wanted: Of<'flag'>;
  #firstS: number | null = null;

  constructor(wanted: Of<'flag'>) {
    this.#wanted = wanted;
  }

  look(sighting: Sighting, cast: Cast): void {
    if (this.#firstS !== null) return;
    for (const track of tracksOfActor(sighting, cast, this.#wanted.actor))
      if (wordsAgainst(track).includes(this.#wanted.flag)) this.#firstS = sighting.atS;
  }

  result(_told: Told, cast: Cast): RunExpectation {
    const { actor, flag, by_s: byS } = this.#wanted;
    const who = nameOf(actor, cast);
    if (this.#firstS === null) return { text: `${who} was never marked ${flag}${within(byS)}`, met: false };
    const met = this.#firstS <= (byS ?? Number.POSITIVE_INFINITY);
    return { text: `${who} was marked ${flag} after ${seconds(this.#firstS)}${allowed(byS)}`, met };
  }
}

function wordsAgainst({ flags, integrity }: Track): string[] {
  return [...flags, integrity.verdict, ...integrity.reasons.map(({ id }) => id)];
}
