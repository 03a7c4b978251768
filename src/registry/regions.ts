import type { Actor } from '../model/actor.ts';
import type { Region, RegionPatch, RegionSpec } from '../model/region.ts';
import { checkGeometry, checkPositions } from './geometry_check.ts';
import { Ground } from './ground.ts';
import type { RegistryRim } from './rim.ts';
import { Shelf } from './shelf.ts';

const MOST_REGIONS = 256;

/** The regions of a workspace: where the ground is how high, what time it is there and how much is expected. */
export class Regions {
  readonly #shelf: Shelf<RegionSpec>;
  #ground: Ground | null = null;

  constructor(rim: RegistryRim) {
    const check = ({ geometry }: RegionSpec, others: readonly RegionSpec[]): void => {
      checkGeometry(geometry);
      checkPositions('region', geometry, others);
    };
    this.#shelf = new Shelf(rim, { table: 'regions', list: 'regions', noun: 'region', most: MOST_REGIONS, check });
  }

  list(): readonly Region[] {
    return this.#shelf.list();
  }

  get(id: string): Region {
    return this.#shelf.get(id);
  }

  /** How high the ground is, as they say; made anew after a change. */
  get ground(): Ground {
    this.#ground ??= new Ground(this.list());
    return this.#ground;
  }

  create(spec: RegionSpec, by: Actor): Region {
    return this.#changed(() => this.#shelf.create(spec, by));
  }

  update(id: string, { version, ...patch }: RegionPatch, by: Actor): Region {
    return this.#changed(() => this.#shelf.update(id, patch as Partial<RegionSpec>, version, by));
  }

  /** A row as it was when it was recorded. */
  restore(row: Region): void {
    this.#changed(() => this.#shelf.restore(row));
  }

  remove(id: string, by: Actor): void {
    this.#changed(() => this.#shelf.remove(id, by));
  }

  #changed<T>(change: () => T): T {
    try {
      return change();
    } finally {
      this.#ground = null;
    }
  }
}
