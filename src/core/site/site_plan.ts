import type { LatLon } from '../../geo/position.ts';
import type { Geometry } from '../../model/geometry.ts';
import type { Zone } from '../../model/zone.ts';

/** A zone as the core receives it, with its heights converted. */
export type ZoneValue = Pick<
  Zone,
  'id' | 'version' | 'name' | 'kind' | 'priority' | 'applies_to' | 'alarm' | 'schedule' | 'enabled'
> & {
  geometry: Geometry;
  /** Floor, m; minus infinity where there is none. */
  floorM: number;
  ceilingM: number;
  /** Datum of the heights. It is `ground` where the height of the ground, and so the height above the ellipsoid, is unknown. */
  above: 'ellipsoid' | 'ground';
  /** True where floor and ceiling are heights above ground. A track without an altitude is compared by its height above ground. */
  overGround: boolean;
  /** Height of the ground in its middle, above the ellipsoid; NaN where not known. */
  groundAltHaeM: number;
};

/** A fixed asset of ours that is protected: a point. */
export type AssetValue = LatLon & {
  id: string;
  name: string;
  priority: number;
  groundAltHaeM: number;
};

/** Everything that tracks are measured against. Sent whole, so that a change takes effect in one step. */
export type SitePlan = { zones: readonly ZoneValue[]; assets: readonly AssetValue[] };
