import { Outline } from '../geo/shape/outline.ts';
import { vectorOf } from '../geo/shape/plane.ts';
import type { Region, RegionSpec } from '../model/region.ts';
import type { RegistryDeps } from './deps.ts';
import { checkGeometry, checkPositions } from './geometry_check.ts';
import { Repository } from './repository.ts';

const MOST_REGIONS = 256;

/** Regions of a workspace: parts of the site with their own ground height, time zone and posture. */
export class Regions extends Repository<RegionSpec> {
  #ground: { of: ReturnType<Regions['list']>; ground: Ground } | null = null;

  constructor(deps: RegistryDeps) {
    super(deps, { table: 'regions', list: 'regions', noun: 'region', most: MOST_REGIONS, check });
  }

  /** Ground heights by region. They are rebuilt after a change, because each change creates a new list of regions. */
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

/** Ground heights by region, for queries that come for each track several times a second. */
class Ground {
  readonly #pieces: readonly Piece[];

  constructor(regions: readonly Region[]) {
    const known = regions.flatMap(({ geometry, ground_alt_hae_m: groundAltHaeM }) => {
      const outline = new Outline(geometry);
      return groundAltHaeM === null ? [] : [{ outline, reach: outline.reach, groundAltHaeM }];
    });
    // Smaller regions come first: of nested regions the smallest is the most exact.
    this.#pieces = known.sort((a, b) => a.reach - b.reach);
  }

  /** Returns the ground height at a position, m above the ellipsoid. Null outside all regions with a known height. */
  altHaeM(latDeg: number, lonDeg: number): number | null {
    if (this.#pieces.length === 0) return null;
    const place = vectorOf([lonDeg, latDeg]);
    for (const { outline, groundAltHaeM } of this.#pieces) if (outline.contains(place)) return groundAltHaeM;
    return null;
  }
}
