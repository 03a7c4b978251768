import { Chart } from '../geo/flat/chart.ts';
import { Footprint } from '../geo/flat/footprint.ts';
import { Outline } from '../geo/shape/outline.ts';
import { vectorOf } from '../geo/shape/plane.ts';
import { invalidInput } from '../model/fault.ts';
import type { Geometry } from '../model/geometry.ts';
import type { OutletFilter } from '../model/outlet.ts';

/** Finds the geometry of a zone or region; null if it does not exist. */
export type Geometries = { zone(id: string): Geometry | null; region(id: string): Geometry | null };

/** Area of a filter, prepared for many tests. `fault` says why no position is inside; null without a fault. */
export type PreparedArea = { contains(lat: number, lon: number): boolean; fault: string | null };

const everywhere: PreparedArea = { contains: () => true, fault: null };

export function preparedArea(area: OutletFilter['area'], geometries: Geometries): PreparedArea {
  if (area === null) return everywhere;
  const { zone_id: zoneId, region_id: regionId, lat, lon, radius_m } = area;
  if (lat !== undefined && lon !== undefined && radius_m !== undefined)
    return within({ type: 'Point', coordinates: [lon, lat], radius_m });
  const what = zoneId === undefined ? 'region' : 'zone';
  const geometry = zoneId === undefined ? geometries.region(regionId ?? '') : geometries.zone(zoneId);
  if (geometry !== null) return within(geometry);
  return {
    contains: () => false,
    fault: `the ${what} of the outlet's area was deleted, so no track is sent: set another area`,
  };
}

/** Throws a Fault `invalid_input` if an area names a zone or region that does not exist. */
export function refuseUnknownArea(area: OutletFilter['area'], geometries: Geometries): void {
  const { zone_id: zoneId, region_id: regionId } = area ?? {};
  if (zoneId !== undefined && geometries.zone(zoneId) === null)
    throw invalidInput(`'filter.area.zone_id' names no zone: there is none with the id ${zoneId}`);
  if (regionId !== undefined && geometries.region(regionId) === null)
    throw invalidInput(`'filter.area.region_id' names no region: there is none with the id ${regionId}`);
}

function within(geometry: Geometry): PreparedArea {
  if (geometry.type !== 'LineString') {
    const outline = new Outline(geometry);
    return { contains: (lat, lon) => outline.contains(vectorOf([lon, lat])), fault: null };
  }
  const corridor = new Footprint(geometry);
  return {
    contains(latDeg, lonDeg) {
      const drawn = corridor.on(new Chart({ latDeg, lonDeg }), 0);
      return drawn !== null && drawn.depth([0, 0]) >= 0;
    },
    fault: null,
  };
}
