import { AREAS_FOR_ASSETS } from '../geo/area_columns.ts';
import { invalidInput } from '../model/fault.ts';
import { LIMIT } from '../model/rows/layouts.ts';
import type { ZoneSpec } from '../model/zone.ts';
import type { RegistryDeps } from './deps.ts';
import { checkGeometry, checkMeasurable, checkPositions } from './geometry_check.ts';
import { Repository } from './repository.ts';

/**
 * Limits of all zones together: the limits of the core, less the share reserved for assets. The limits of a single zone
 * are in geo/area_fault.ts.
 */
const MOST_ZONES = LIMIT.things - AREAS_FOR_ASSETS;
const MOST_POSITIONS = LIMIT.thingPositions - AREAS_FOR_ASSETS;

/** Zones of a workspace: for example protected areas, warning zones, and keep-in and keep-out zones. */
export class Zones extends Repository<ZoneSpec> {
  constructor(deps: RegistryDeps) {
    super(deps, { table: 'zones', list: 'zones', noun: 'zone', most: MOST_ZONES, check });
  }
}

function check(spec: ZoneSpec, others: readonly ZoneSpec[]): void {
  checkHeights(spec);
  checkGeometry(spec.geometry);
  checkPositions('zone', spec.geometry, others, MOST_POSITIONS);
  checkMeasurable(spec.geometry);
}

function checkHeights({ floor_m: floor, ceiling_m: ceiling }: ZoneSpec): void {
  if (floor === null || ceiling === null || floor < ceiling) return;
  throw invalidInput(`'ceiling_m' must be greater than floor_m, which is ${floor}`);
}
