import { Outline } from '../geo/shape/outline.ts';
import { vectorOf } from '../geo/shape/plane.ts';
import type { Region, RegionSpec } from '../model/region.ts';
import type { RegistryDeps } from './deps.ts';
import { checkGeometry, checkPositions } from './geometry_check.ts';
import { Repository } from './repository.ts';

const MOST_REGIONS = 256;

/** The regions of a workspace: parts of the site with a ground height, a time zone and expected traffic. */
export class Regions extends Repository<RegionSpec> {
  #ground: { of: ReturnType<Regions['list']>; ground: Ground } | null = null;

  constructor(deps: RegistryDeps) {
    super(deps, { table: 'regions', list: 'regions', noun: 'region', most: MOST_REGIONS, check });
  }

  /** Ground height by the regions. It is rebuilt after a change, which makes a new list. */
  get ground(): Ground {
    const regions = this.list();
    if (this.#ground?.of !== regions) this.#ground = { of: regions, ground: new Ground(regions) };
    return this.#ground.ground;
  }
}

function check({ geometry }: RegionSpec, others: readonly RegionSpec[]): void {
  checkGeometry(geometry);
  checkPositions('region', geometry, others);
}

type Piece = { outline: Outline; reach: number; groundAltHaeM: number };

/** Ground height by the regions. It is queried for each track several times a second. */
class Ground {
  readonly #pieces: readonly Piece[];

  constructor(regions: readonly Region[]) {
    const known = regions.flatMap(({ geometry, ground_alt_hae_m: groundAltHaeM }) => {
      const outline = new Outline(geometry);
      return groundAltHaeM === null ? [] : [{ outline, reach: outline.reach, groundAltHaeM }];
    });
    // The smallest of nested regions is the most exact and comes first.
    this.#pieces = known.sort((a, b) => a.reach - b.reach);
  }

  /** Ground height, m above the ellipsoid; null outside of all regions. */
  altHaeM(latDeg: number, lonDeg: number): number | null {
    if (this.#pieces.length === 0) return null;
    const place = vectorOf([lonDeg, latDeg]);
    for (const { outline, groundAltHaeM } of this.#pieces) if (outline.contains(place)) return groundAltHaeM;
    return null;
  }
}
