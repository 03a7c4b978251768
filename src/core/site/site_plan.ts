import type { LatLon } from '../../geo/position.ts';
import type { Geometry } from '../../model/geometry.ts';
import type { Zone } from '../../model/zone.ts';

/** A zone in the form that the core uses, with its heights converted. */
export type ZoneValue = Pick<
  Zone,
  'id' | 'version' | 'name' | 'kind' | 'priority' | 'applies_to' | 'alarm' | 'schedule' | 'enabled'
> & {
  geometry: Geometry;
  /** Height of the floor, m; −Infinity if the zone has none. */
  floorM: number;
  ceilingM: number;
  /** Reference of floor and ceiling. It is `ground` only if the ground's height above the ellipsoid is unknown. */
  above: 'ellipsoid' | 'ground';
  /**
   * Whether floor and ceiling were given as heights above ground. If so, a track without a known altitude is compared
   * by its height above ground.
   */
  overGround: boolean;
  /** Height above the ellipsoid of the ground in the middle of the zone, m; NaN if not known. */
  groundAltHaeM: number;
};

/** A fixed own asset to protect, as a point. */
export type AssetValue = LatLon & {
  id: string;
  name: string;
  priority: number;
  groundAltHaeM: number;
};

/**
 * All zones and assets that tracks are measured against. It is always replaced as a whole, so that a change takes
 * effect in one step.
 */
export type SitePlan = { zones: readonly ZoneValue[]; assets: readonly AssetValue[] };
