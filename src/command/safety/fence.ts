import { Footprint } from '../../geo/flat/footprint.ts';
import type { Heights } from '../../geo/geoid.ts';
import { middleOf } from '../../geo/shape/middle.ts';
import { holdsAt } from '../../model/schedule.ts';
import type { Zone } from '../../model/zone.ts';

/**
 * A keep-in or keep-out zone for our own vehicles. Made again only when a zone or a ground height changes, because
 * outlines are costly.
 */
export type Fence = {
  zone: Zone & { kind: 'keep_out' | 'keep_in' };
  footprint: Footprint;
  /** Floor and ceiling above the ellipsoid, m; -Infinity and Infinity if there is none. */
  floorM: number;
  ceilingM: number;
  /** False if floor or ceiling refer to ground whose height is unknown. */
  heightsKnown: boolean;
};

/** Returns the fences of all zones that apply to our own movements. Zones for other affiliations only are left out. */
export function fencesOf(zones: readonly Zone[], heights: Heights): Fence[] {
  return zones.filter(isFence).map((zone) => fenceOf(zone, heights));
}

/** Returns the fences that are in force at a moment, by their schedules. */
export function holding(fences: readonly Fence[], utcMs: number): Fence[] {
  return fences.filter(({ zone: { schedule } }) => schedule === null || holdsAt(schedule, utcMs));
}

function isFence(zone: Zone): zone is Fence['zone'] {
  const { affiliations } = zone.applies_to;
  if (affiliations.length > 0 && !affiliations.includes('friend')) return false;
  return zone.enabled && (zone.kind === 'keep_out' || zone.kind === 'keep_in');
}

/**
 * Converts floor and ceiling to heights above the ellipsoid, with the ground height at the centre of the zone. A floor
 * of datum `agl` at or below the ground counts as none. `zoneValue` converts zones in the same way for tracks.
 */
function fenceOf(zone: Fence['zone'], heights: Heights): Fence {
  const { geometry, datum, floor_m: floor, ceiling_m: ceiling } = zone;
  const { latDeg, lonDeg } = middleOf(geometry);
  const bottom = floor !== null && datum === 'agl' && floor <= 0 ? null : floor;
  const groundM = datum === 'agl' ? heights.groundAltHaeM(latDeg, lonDeg) : 0;
  const heightsKnown = groundM !== null || (bottom === null && ceiling === null);
  const hae = (metres: number): number =>
    datum === 'msl' ? heights.haeOfMsl(metres, latDeg, lonDeg) : metres + (groundM ?? 0);
  return {
    zone,
    footprint: new Footprint(geometry),
    floorM: bottom === null || !heightsKnown ? Number.NEGATIVE_INFINITY : hae(bottom),
    ceilingM: ceiling === null || !heightsKnown ? Number.POSITIVE_INFINITY : hae(ceiling),
    heightsKnown,
  };
}
