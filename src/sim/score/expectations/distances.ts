import type { Enu } from '../../../geo/position.ts';
import type { Cast } from '../cast.ts';
import { figure, type Of, reached, type Sighting, seconds, unmet, type Watcher, within } from './watcher.ts';

/** The distance that two actors have to keep while both fly. */
export function apartWatcher({ actors, at_least_m: leastM }: Of<'apart'>, cast: Cast): Watcher {
  const distance = new LeastDistance();
  let least = { metres: Number.POSITIVE_INFINITY, atS: 0 };
  return {
    evaluate(sighting) {
      const [a, b] = actors;
      const distanceM = distance.next(pointsOf(sighting, cast, a, false), pointsOf(sighting, cast, b, false), false);
      if (distanceM < least.metres) least = { metres: distanceM, atS: sighting.atS };
    },
    result() {
      const pair = actors.map((actor) => cast.nameOf(actor)).join(' and ');
      if (!Number.isFinite(least.metres)) return { text: `${pair} were never in the air together`, met: true };
      const nearest = `${pair} came to ${metres(least.metres)} of each other after ${seconds(least.atS)}`;
      return { text: `${nearest}; at least ${metres(leastM)} was to be kept`, met: least.metres >= leastM };
    },
  };
}

/** The distance to another actor or to a place that an actor has to come within. Horizontal for a place without height. */
export function nearWatcher(wanted: Of<'near'>, cast: Cast): Watcher {
  const { actor, to, within_m: withinM, from_s: fromS = 0, by_s: byS } = wanted;
  const distance = new LeastDistance();
  const flat = !('actor' in to) && to.height_m === undefined;
  let firstS: number | null = null;
  let leastM = Number.POSITIVE_INFINITY;
  return {
    evaluate(sighting) {
      if (sighting.atS < fromS) return;
      const there =
        'actor' in to
          ? pointsOf(sighting, cast, to.actor, true)
          : new Map([['', { eastM: to.east_m, northM: to.north_m, upM: to.height_m ?? 0 }]]);
      const distanceM = distance.next(pointsOf(sighting, cast, actor, true), there, flat);
      leastM = Math.min(leastM, distanceM);
      if (distanceM <= withinM) firstS ??= sighting.atS;
    },
    result() {
      const where = 'actor' in to ? cast.nameOf(to.actor) : 'the place';
      const came = `${cast.nameOf(actor)} came`;
      if (firstS !== null) return reached(`${came} within ${metres(withinM)} of ${where}`, firstS, byS);
      const nearest = Number.isFinite(leastM) ? `to ${metres(leastM)} of ${where}` : `nowhere near ${where}`;
      return unmet(`${came} ${nearest}; ${metres(withinM)} was asked for${within(byS)}`);
    },
  };
}

/** Positions of all objects of an actor, by id. Objects on the ground have none, except our own with `stand`. */
function pointsOf({ places, spots }: Sighting, cast: Cast, actorId: string, stand: boolean): Map<string, Enu> {
  const points = new Map<string, Enu>();
  for (const [i, { id, airborne, kind }] of places.entries()) {
    if (!cast.isOf(id, actorId) || !(airborne || (stand && kind === 'asset'))) continue;
    points.set(id, { eastM: spots[3 * i] ?? 0, northM: spots[3 * i + 1] ?? 0, upM: spots[3 * i + 2] ?? 0 });
  }
  return points;
}

/** The least distance between any of one set of objects and any of another, from one call to the next. */
class LeastDistance {
  #before: { a: ReadonlyMap<string, Enu>; b: ReadonlyMap<string, Enu> } | null = null;

  /** Infinite where one set is empty. */
  next(a: ReadonlyMap<string, Enu>, b: ReadonlyMap<string, Enu>, flat: boolean): number {
    let least = Number.POSITIVE_INFINITY;
    for (const [idA, atA] of a)
      for (const [idB, atB] of b) {
        if (idA === idB) continue;
        const [fromA, fromB] = [this.#before?.a.get(idA) ?? atA, this.#before?.b.get(idB) ?? atB];
        least = Math.min(least, leastBetween(fromA, atA, fromB, atB, flat));
      }
    this.#before = { a, b };
    return least;
  }
}

/** The least distance of two objects that fly straight from a0 to a1 and from b0 to b1; horizontal with `flat`. */
function leastBetween(a0: Enu, a1: Enu, b0: Enu, b1: Enu, flat: boolean): number {
  const [x, y, z] = less(a0, b0);
  const [toX, toY, toZ] = less(a1, b1);
  const up = flat ? 0 : 1;
  const [dx, dy, dz] = [toX - x, toY - y, (toZ - z) * up];
  const length2 = dx * dx + dy * dy + dz * dz;
  const along = length2 === 0 ? 0 : -(x * dx + y * dy + z * up * dz) / length2;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x + share * dx, y + share * dy, z * up + share * dz);
}

function less(a: Enu, b: Enu): [eastM: number, northM: number, upM: number] {
  return [a.eastM - b.eastM, a.northM - b.northM, a.upM - b.upM];
}

function metres(valueM: number): string {
  return `${figure(valueM)} m`;
}
