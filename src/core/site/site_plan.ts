import type { Geometry } from '../../model/geometry.ts';
import type { Zone } from '../../model/zone.ts';

/** A zone as it reaches the core: its heights over what the core knows. */
export type ZoneValue = Pick<
  Zone,
  'id' | 'version' | 'name' | 'kind' | 'priority' | 'applies_to' | 'alarm' | 'schedule' | 'enabled'
> & {
  geometry: Geometry;
  /** Infinite where there is none. */
  floorM: number;
  ceilingM: number;
  /** What they are above. Over ground of which nobody says how high it is, heights above the ellipsoid say nothing. */
  above: 'ellipsoid' | 'ground';
  /** Floor and ceiling were told above ground: of a track of which only that height is known, they are compared with it. */
  overGround: boolean;
  /** In its middle, above the ellipsoid; NaN where nobody says. */
  groundAltHaeM: number;
};

/** Something of ours that is protected: a point. */
export type AssetValue = {
  id: string;
  name: string;
  lat: number;
  lon: number;
  priority: number;
  groundAltHaeM: number;
};

/** All that tracks are measured against. Told whole, so that a change takes effect in one step. */
export type SitePlan = { zones: readonly ZoneValue[]; assets: readonly AssetValue[] };
