import { LocalFrame } from '../../geo/local_frame.ts';
import { trackLabel } from '../../model/ids.ts';
import type { NearFact } from '../rules/facts.ts';
import { Groups } from '../threat/groups.ts';
import type { Member } from '../threat/parties.ts';
import { confidenceOf } from './situate.ts';
import type { Watched } from './watched.ts';

/** Who is farther from a vehicle of ours is not near it. */
const NEAR_M = 3_000;
const CREWED_FROM = 0.5;

/** Who flies with whom, and who is near to a vehicle of ours. Looked at about once a second: company does not change faster. */
export class Company {
  readonly #groups = new Groups();
  #frame: LocalFrame | null = null;
  #near = new Map<number, NearFact[]>();

  /** Of those within reach of a vehicle of ours, and of those vehicles. */
  nearOf(number: number): readonly NearFact[] {
    return this.#near.get(number) ?? [];
  }

  /** Looks at all; answers those whose group, or its size, is another now, and the key of the group before. */
  look(watchedOf: ReadonlyMap<number, Watched>): { watched: Watched; wasKey: number }[] {
    const all = [...watchedOf.values()];
    const placed: { watched: Watched; member: Member }[] = [];
    for (const watched of all) {
      const member = this.#memberOf(watched);
      if (member) placed.push({ watched, member });
    }
    const groups = this.#groups.update(
      placed.filter(({ watched }) => mayFlyTogether(watched)).map((one) => one.member),
    );
    this.#near = nearPairs(placed);
    const changed: { watched: Watched; wasKey: number }[] = [];
    for (const watched of all) {
      const group = groups.get(watched.number) ?? null;
      if (group?.key === watched.group?.key && group?.size === watched.group?.size) continue;
      changed.push({ watched, wasKey: watched.group?.key ?? 0 });
      watched.group = group;
    }
    return changed;
  }

  #memberOf(watched: Watched): Member | null {
    const { latDeg, lonDeg, altHaeM, eastMps, northMps, upMps } = watched;
    if (Number.isNaN(latDeg)) return null;
    // The first place is as good an origin as any: a group is a matter of some hundred metres.
    this.#frame ??= new LocalFrame(latDeg, lonDeg, 0);
    const { east, north } = this.#frame.toEnu(latDeg, lonDeg, 0);
    return { number: watched.number, eastM: east, northM: north, upM: altHaeM, eastMps, northMps, upMps };
  }
}

/** What is not heard any more flies with nobody; a vehicle of ours is in nobody's swarm. */
function mayFlyTogether({ state, word }: Watched): boolean {
  return (state === 'confirmed' || state === 'coasting') && word.affiliation !== 'friend';
}

type Placed = { watched: Watched; member: Member };

function nearPairs(placed: readonly Placed[]): Map<number, NearFact[]> {
  const near = new Map<number, NearFact[]>();
  const add = (to: Placed, of: Placed, distanceM: number): void => {
    const list = near.get(to.watched.number) ?? [];
    near.set(to.watched.number, list);
    list.push(factOf(of.watched, distanceM));
  };
  for (const own of placed) {
    if (own.watched.word.asset === null || own.watched.word.affiliation !== 'friend') continue;
    for (const other of placed) {
      if (other === own) continue;
      const distanceM = apartM(own.member, other.member);
      if (distanceM > NEAR_M) continue;
      add(own, other, distanceM);
      if (other.watched.word.affiliation !== 'friend') add(other, own, distanceM);
    }
  }
  return near;
}

function apartM(a: Member, b: Member): number {
  return Math.hypot(a.eastM - b.eastM, a.northM - b.northM, a.upM - b.upM || 0);
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
