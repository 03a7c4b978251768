import { LocalFrame } from '../../geo/local_frame.ts';
import { trackLabel } from '../../model/ids.ts';
import type { NearFact } from '../rules/facts.ts';
import { Groups } from '../threat/groups.ts';
import { Member } from '../threat/parties.ts';
import { confidenceOf } from './situate.ts';
import type { Watched } from './watched.ts';

/** Distance up to which an aircraft counts as near an own vehicle, m. */
const NEAR_M = 3_000;
const CREWED_FROM = 0.5;

/**
 * Groups of aircraft that fly together, and aircraft near own vehicles. Both are updated about once a second, because
 * they change slowly.
 */
export class Company {
  readonly #groups = new Groups();
  #frame: LocalFrame | null = null;
  #near = new Map<number, NearFact[]>();
  readonly #members: Member[] = [];

  /**
   * Returns the neighbours of a track within `NEAR_M`: for an own vehicle, all aircraft; for a track that is no friend,
   * the own vehicles.
   */
  nearOf(number: number): readonly NearFact[] {
    return this.#near.get(number) ?? [];
  }

  /**
   * Updates all groups. Returns the tracks that are in another group than before, or whose group changed its size.
   * `wasKey` is the key of the previous group; 0 for none.
   */
  evaluate(watchedOf: ReadonlyMap<number, Watched>): { watched: Watched; wasKey: number }[] {
    const placed: Watched[] = [];
    for (const watched of watchedOf.values()) if (!Number.isNaN(watched.latDeg)) placed.push(watched);
    this.#place(placed);
    const members = this.#members;
    const groups = this.#groups.update(members.filter((_, i) => placed[i] && mayFlyTogether(placed[i])));
    this.#near = nearPairs(placed, members);
    const changed: { watched: Watched; wasKey: number }[] = [];
    for (const watched of watchedOf.values()) {
      const group = groups.get(watched.number) ?? null;
      if (group?.key === watched.group?.key && group?.size === watched.group?.size) continue;
      changed.push({ watched, wasKey: watched.group?.key ?? 0 });
      watched.group = group;
    }
    return changed;
  }

  /**
   * Updates `#members` to the present positions of the tracks. The objects are reused: new ones would be garbage of a
   * thousand objects a second.
   */
  #place(placed: readonly Watched[]): void {
    const [first] = placed;
    const members = this.#members;
    while (members.length < placed.length) members.push(new Member());
    members.length = placed.length;
    if (!first) return;
    // The first position serves as the origin. Distances in three axes do not depend on it, wherever on earth it is.
    this.#frame ??= new LocalFrame(first.latDeg, first.lonDeg, 0);
    const places = new Float64Array(3 * placed.length);
    placed.forEach(({ latDeg, lonDeg }, i) => {
      places[3 * i] = latDeg;
      places[3 * i + 1] = lonDeg;
    });
    this.#frame.allToEnu(places, places);
    placed.forEach((watched, i) => {
      const member = members[i];
      if (!member) return;
      member.number = watched.number;
      member.eastM = places[3 * i] ?? Number.NaN;
      member.northM = places[3 * i + 1] ?? Number.NaN;
      member.upM = places[3 * i + 2] ?? Number.NaN;
      member.altHaeM = watched.altHaeM;
      member.eastMps = watched.eastMps;
      member.northMps = watched.northMps;
      member.upMps = watched.upMps;
    });
  }
}

/** Whether a track may belong to a group: it must be confirmed or coasting, and must not be a friend. */
function mayFlyTogether({ state, word }: Watched): boolean {
  return (state === 'confirmed' || state === 'coasting') && word.affiliation !== 'friend';
}

/** Finds aircraft near own vehicles. `members[i]` holds the position of `placed[i]`. */
function nearPairs(placed: readonly Watched[], members: readonly Member[]): Map<number, NearFact[]> {
  const near = new Map<number, NearFact[]>();
  const add = (to: Watched, of: Watched, distanceM: number): void => {
    const list = near.get(to.number) ?? [];
    near.set(to.number, list);
    list.push(factOf(of, distanceM));
  };
  placed.forEach((own, i) => {
    if (own.word.asset === null || own.word.affiliation !== 'friend') return;
    const at = members[i];
    placed.forEach((other, k) => {
      const there = members[k];
      if (other === own || !at || !there) return;
      const distanceM = apartM(at, there);
      if (distanceM > NEAR_M) return;
      add(own, other, distanceM);
      if (other.word.affiliation !== 'friend') add(other, own, distanceM);
    });
  });
  return near;
}

function apartM(a: Member, b: Member): number {
  return Math.hypot(a.eastM - b.eastM, a.northM - b.northM, a.upM - b.upM, a.altHaeM - b.altHaeM || 0);
}

function factOf({ record, word }: Watched, distanceM: number): NearFact {
  const crewed = confidenceOf(record.classification, 'crewed_aircraft') >= CREWED_FROM;
  return {
    trackId: record.id,
    label: trackLabel(record.number),
    assetName: word.asset?.name ?? null,
    distanceM,
    crewed,
  };
}
