import type { AssetValue, ZoneValue } from '../core/site/site_plan.ts';
import type { Heights } from '../geo/geoid.ts';
import { middleOf } from '../geo/shape/middle.ts';
import type { Asset } from '../model/asset.ts';
import type { AssetKind } from '../model/catalog.ts';
import type { Zone } from '../model/zone.ts';

const ASSET_PRIORITY = 5;
/** Kinds of assets that stay in place. Platforms and teams move, and emitters are not ours. */
const fixedKinds: ReadonlySet<AssetKind> = new Set(['sensor', 'station', 'dock', 'relay', 'other']);

/**
 * Converts a zone to the form that the core uses. Floor and ceiling become heights above the ellipsoid, m, converted at
 * the centre of the zone. A missing floor is -Infinity, a missing ceiling Infinity. If the ground height is unknown,
 * heights above ground stay above ground.
 */
export function zoneValue(zone: Zone, heights: Heights): ZoneValue {
  const { id, version, name, kind, geometry, priority, applies_to, alarm, schedule, enabled, datum } = zone;
  const { latDeg, lonDeg } = middleOf(geometry);
  const groundAltHaeM = heights.groundAltHaeM(latDeg, lonDeg) ?? Number.NaN;
  const floor = zone.floor_m !== null && isGround(zone.floor_m, datum) ? null : zone.floor_m;
  const bounded = floor !== null || zone.ceiling_m !== null;
  const overGround = bounded && datum === 'agl';
  const unknown = overGround && Number.isNaN(groundAltHaeM);
  const hae = (metres: number): number => {
    if (datum === 'hae' || unknown) return metres;
    return datum === 'msl' ? heights.haeOfMsl(metres, latDeg, lonDeg) : metres + groundAltHaeM;
  };
  // The object is written field by field, because objects from a spread are slower to read (V8 hidden classes).
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
 * Returns true for a floor at or below the ground (datum `agl`), which counts as no floor. The ground height of a zone
 * is the height at its centre. An aircraft down a slope, or launched on a hill, may be below that height, and must
 * still count as inside.
 */
function isGround(floorM: number, datum: Zone['datum']): boolean {
  return datum === 'agl' && floorM <= 0;
}

/**
 * Converts an asset to a protected asset of the core. Returns null unless the asset is friendly, of a fixed kind, and
 * has a position of its own. Also returns null for the domain `air` and for a mobile mount. A carried asset is
 * protected with its carrier; people and vehicles are protected by zones around them.
 */
export function assetValue(asset: Asset, { groundAltHaeM }: Heights): AssetValue | null {
  const { id, name, kind, domain, affiliation, placement } = asset;
  if (!fixedKinds.has(kind) || domain === 'air' || affiliation !== 'friend' || !placement) return null;
  const { lat, lon, mount, carried_by: carrier } = placement;
  if (lat === undefined || lon === undefined || carrier !== undefined) return null;
  if (mount === 'mobile' || mount === 'carried') return null;
  const ground = groundAltHaeM(lat, lon) ?? Number.NaN;
  return { id, name, latDeg: lat, lonDeg: lon, priority: ASSET_PRIORITY, groundAltHaeM: ground };
}
