import { MOST_THING_POSITIONS, MOST_THINGS, THINGS_FOR_ASSETS } from '../geo/thing_columns.ts';
import type { Actor } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import type { Zone, ZonePatch, ZoneSpec } from '../model/zone.ts';
import { checkGeometry, checkMeasurable, checkPositions } from './geometry_check.ts';
import type { RegistryRim } from './rim.ts';
import { Shelf } from './shelf.ts';

/** The core takes so many, however they lie; see geo/thing_fault.ts for what it takes of each. */
const MOST_ZONES = MOST_THINGS - THINGS_FOR_ASSETS;
const MOST_POSITIONS = MOST_THING_POSITIONS - THINGS_FOR_ASSETS;

/** The zones of a workspace: what is protected, warned of, kept in and kept out of. */
export class Zones {
  readonly #shelf: Shelf<ZoneSpec>;

  constructor(rim: RegistryRim) {
    const check = (spec: ZoneSpec, others: readonly ZoneSpec[]): void => {
      checkHeights(spec);
      checkGeometry(spec.geometry);
      checkPositions('zone', spec.geometry, others, MOST_POSITIONS);
      checkMeasurable(spec.geometry);
    };
    this.#shelf = new Shelf(rim, { table: 'zones', list: 'zones', noun: 'zone', most: MOST_ZONES, check });
  }

  list(): readonly Zone[] {
    return this.#shelf.list();
  }

  get(id: string): Zone {
    return this.#shelf.get(id);
  }

  create(spec: ZoneSpec, by: Actor): Zone {
    return this.#shelf.create(spec, by);
  }

  update(id: string, { version, ...patch }: ZonePatch, by: Actor): Zone {
    return this.#shelf.update(id, patch as Partial<ZoneSpec>, version, by);
  }

  /** A row as it was when it was recorded. */
  restore(row: Zone): void {
    this.#shelf.restore(row);
  }

  remove(id: string, by: Actor): void {
    this.#shelf.remove(id, by);
  }
}

function checkHeights({ floor_m: floor, ceiling_m: ceiling }: ZoneSpec): void {
  if (floor === null || ceiling === null || floor < ceiling) return;
  throw new Fault('invalid_input', `'ceiling_m' must be greater than floor_m, which is ${floor}`);
}
