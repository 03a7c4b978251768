import { Footprint } from '../../geo/flat/footprint.ts';
import type { Heights } from '../../geo/geoid.ts';
import { middleOf } from '../../geo/shape/middle.ts';
import { holdsAt } from '../../model/schedule.ts';
import type { Zone } from '../../model/zone.ts';

/**
 * A zone that our own vehicles are kept in or out of. Made once for each version of the zone, so that its outline is
 * computed only once.
 */
export type Fence = {
  zone: Zone & { kind: 'keep_out' | 'keep_in' };
  footprint: Footprint;
  /** Height above the ellipsoid, m; infinite where there is none. */
  floorM: number;
  ceilingM: number;
  /** False where floor or ceiling refer to ground whose height is unknown. */
  heightsKnown: boolean;
};

/** Fences of the zones that apply to our own movements; zones for other affiliations only are left out. */
export function fencesOf(zones: readonly Zone[], heights: Heights): Fence[] {
  return zones.filter(isFence).map((zone) => fenceOf(zone, heights));
}

/** Fences in force at a moment, by their schedules. */
export function holding(fences: readonly Fence[], utcMs: number): Fence[] {
  return fences.filter(({ zone: { schedule } }) => schedule === null || holdsAt(schedule, utcMs));
}

function isFence(zone: Zone): zone is Fence['zone'] {
  const { affiliations } = zone.applies_to;
  if (affiliations.length > 0 && !affiliations.includes('friend')) return false;
  return zone.enabled && (zone.kind === 'keep_out' || zone.kind === 'keep_in');
}

/**
 * Converts the heights at the middle of the zone; a floor at or below the ground counts as none. Tracks are measured
 * against the zone in the same way.
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
