import type { RegionSpec } from '../model/region.ts';
import type { RegistryDeps } from './deps.ts';
import { checkGeometry, checkPositions } from './geometry_check.ts';
import { Ground } from './ground.ts';
import { Repository } from './repository.ts';

const MOST_REGIONS = 256;

/** The regions of a workspace: parts of the site with a ground height, a time zone and expected traffic. */
export class Regions extends Repository<RegionSpec> {
  #ground: { of: ReturnType<Regions['list']>; ground: Ground } | null = null;

  constructor(deps: RegistryDeps) {
    super(deps, { table: 'regions', list: 'regions', noun: 'region', most: MOST_REGIONS, check });
  }

  /** Ground height by the regions; made anew after a change, which makes another list. */
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
