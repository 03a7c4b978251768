import { type ThreatLevel, threatLevels } from '../../../model/posture.ts';
import type { Track } from '../../../model/track.ts';
import type { Cast } from '../cast.ts';
import { type Of, reached, type Sighting, seconds, unmet, type Watcher, within } from './watcher.ts';

/** Yields all tracks of an actor's objects. */
function* tracksOfActor({ tracksOf }: Sighting, cast: Cast, actorId: string): Generator<Track> {
  for (const [id, tracks] of tracksOf) if (cast.isOf(id, actorId)) yield* tracks;
}

/** Creates a watcher that expects an actor's tracks to reach a threat level, or never to exceed one. */
export function threatWatcher(wanted: Of<'threat'>, cast: Cast): Watcher {
  const { actor, at_least: least, at_most: most, by_s: byS } = wanted;
  let reachedS: number | null = null;
  let greatest: ThreatLevel = 'none';
  return {
    evaluate(sighting) {
      for (const { id } of tracksOfActor(sighting, cast, actor)) {
        const level = sighting.levelOf(id);
        if (rank(level) > rank(greatest)) greatest = level;
        if (least !== undefined && rank(level) >= rank(least)) reachedS ??= sighting.atS;
      }
    },
    result() {
      const was = `the greatest threat of ${cast.nameOf(actor)} was ${greatest}`;
      const calm = most === undefined || rank(greatest) <= rank(most);
      if (!calm || least === undefined) return { text: `${was}; at most ${most ?? 'critical'} was allowed`, met: calm };
      if (reachedS === null) return unmet(`${was}; ${least} was required${within(byS)}`);
      return reached(`the threat of ${cast.nameOf(actor)} was ${least} or more`, reachedS, byS);
    },
  };
}

function rank(level: ThreatLevel): number {
  return threatLevels.indexOf(level);
}

/**
 * Creates a watcher that expects one track of an actor to have an affiliation once. With `always`, all its tracks must
 * have it at all times.
 */
export function affiliationWatcher({ actor, is, always }: Of<'affiliation'>, cast: Cast): Watcher {
  let firstS: number | null = null;
  let other: { affiliation: Track['affiliation']; atS: number } | null = null;
  return {
    evaluate(sighting) {
      for (const { affiliation } of tracksOfActor(sighting, cast, actor)) {
        if (affiliation === is) firstS ??= sighting.atS;
        else other ??= { affiliation, atS: sighting.atS };
      }
    },
    result() {
      const name = cast.nameOf(actor);
      if (firstS === null && other === null)
        return unmet(`${name} never had a confirmed track; the affiliation ${is} was required`);
      if (always && other !== null)
        return unmet(
          `${name} had the affiliation ${other.affiliation} after ${seconds(other.atS)}; ${is} was required at all times`,
        );
      if (always) return { text: `${name} had the affiliation ${is} whenever it had a confirmed track`, met: true };
      if (firstS === null) return unmet(`${name} never had the affiliation ${is}`);
      return reached(`${name} had the affiliation ${is}`, firstS);
    },
  };
}

/** Creates a watcher that expects a track of an actor to get a mark: a flag, an integrity reason or a verdict. */
export function flagWatcher({ actor, flag, by_s: byS }: Of<'flag'>, cast: Cast): Watcher {
  let firstS: number | null = null;
  return {
    evaluate(sighting) {
      if (firstS !== null) return;
      for (const { flags, integrity } of tracksOfActor(sighting, cast, actor)) {
        const marks: readonly string[] = [...flags, integrity.verdict, ...integrity.reasons.map(({ id }) => id)];
        if (marks.includes(flag)) firstS = sighting.atS;
      }
    },
    result() {
      const name = cast.nameOf(actor);
      if (firstS === null) return unmet(`${name} was never marked ${flag}${within(byS)}`);
      return reached(`${name} was marked ${flag}`, firstS, byS);
    },
  };
}
