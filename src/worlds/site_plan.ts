import type { AssetValue, ZoneValue } from '../core/site/site_plan.ts';
import { middleOf } from '../geo/shape/middle.ts';
import type { Asset } from '../model/asset.ts';
import type { AssetKind } from '../model/catalog.ts';
import type { Zone } from '../model/zone.ts';

/** What turns heights above ground and mean sea level into those above the ellipsoid. */
export type Heights = {
  /** Null where no region says. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  haeOfMsl(altMslM: number, latDeg: number, lonDeg: number): number;
};

const ASSET_PRIORITY = 5;
/** Things that stay where they were put. A platform moves, and so may a team; an emitter is nobody's. */
const fixedKinds: ReadonlySet<AssetKind> = new Set(['sensor', 'station', 'dock', 'relay', 'other']);

/** A zone as the core needs to know it: its floor and ceiling above the ellipsoid, as they are in its middle. */
export function zoneValue(zone: Zone, heights: Heights): ZoneValue {
  const { id, version, name, kind, geometry, priority, applies_to, alarm, schedule, enabled, datum } = zone;
  const { lat, lon } = middleOf(geometry);
  const groundAltHaeM = heights.groundAltHaeM(lat, lon) ?? Number.NaN;
  const floor = zone.floor_m !== null && isGround(zone.floor_m, datum) ? null : zone.floor_m;
  const bounded = floor !== null || zone.ceiling_m !== null;
  const overGround = bounded && datum === 'agl';
  const unknown = overGround && Number.isNaN(groundAltHaeM);
  const hae = (metres: number): number => {
    if (datum === 'hae' || unknown) return metres;
    return datum === 'msl' ? heights.haeOfMsl(metres, lat, lon) : metres + groundAltHaeM;
  };
  // Each by its name: what is spread into an object makes each of them one of a kind, which takes long to read.
  return {
    id,
    version,
    name,
    kind,
    geometry,
    priority,
    applies_to,
    alarm,
    schedule,
    enabled,
    floorM: floor === null ? Number.NEGATIVE_INFINITY : hae(floor),
    ceilingM: zone.ceiling_m === null ? Number.POSITIVE_INFINITY : hae(zone.ceiling_m),
    above: unknown ? 'ground' : 'ellipsoid',
    overGround,
    groundAltHaeM,
  };
}

/**
 * From the ground on is from below it: the ground of a zone is that of its middle, what flies down a slope is lower, and so is
 * by its own account what took off on a hill.
 */
function isGround(floorM: number, datum: Zone['datum']): boolean {
  return datum === 'agl' && floorM <= 0;
}

/**
 * A protected asset, or null. No row says of itself that it is one: protected is what is ours, stands somewhere by its own
 * placement and stays there. What is carried is protected with its carrier; people and vehicles by the zones round them.
 */
export function assetValue(asset: Asset, { groundAltHaeM }: Heights): AssetValue | null {
  const { id, name, kind, domain, affiliation, placement } = asset;
  if (!fixedKinds.has(kind) || domain === 'air' || affiliation !== 'friend' || !placement) return null;
  const { lat, lon, mount, carried_by: carrier } = placement;
  if (lat === undefined || lon === undefined || carrier !== undefined) return null;
  if (mount === 'mobile' || mount === 'carried') return null;
  return { id, name, lat, lon, priority: ASSET_PRIORITY, groundAltHaeM: groundAltHaeM(lat, lon) ?? Number.NaN };
}
