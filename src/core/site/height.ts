import type { HeightBasis } from '../../model/firing.ts';
import { AREA } from '../../model/rows/layouts.ts';
import type { Flyer } from './flyer.ts';
import type { ZoneValue } from './site_plan.ts';

/** Height of a track relative to a zone, m: positive above the ceiling, negative below the floor, 0 between them. */
export type HeightGap = { gapM: number; basis: HeightBasis };

/**
 * Computes the height of a track relative to a zone. Compares altitudes if those of the track and the zone are known.
 * Otherwise compares the reported height above ground or take-off, if the zone's heights were given above ground. A
 * track without a comparable height counts as between floor and ceiling, because an unknown height must not count as
 * harmless. For the same reason it counts as outside an ignore zone.
 */
export function heightGap(zone: ZoneValue, flyer: Flyer, rows: Float64Array, at: number, into: HeightGap): HeightGap {
  const { floorM, ceilingM } = zone;
  const altitudeKnown = rows[at + AREA.height] !== 0;
  const reportedM = Number.isNaN(flyer.altAglM) ? flyer.heightTakeoffM : flyer.altAglM;
  const unbounded = floorM === Number.NEGATIVE_INFINITY && ceilingM === Number.POSITIVE_INFINITY;
  into.basis = 'altitude';
  if (unbounded ? altitudeKnown || !Number.isNaN(reportedM) : altitudeKnown && zone.above === 'ellipsoid') {
    into.gapM = unbounded ? 0 : (rows[at + AREA.verticalM] ?? 0);
  } else if (zone.overGround && !Number.isNaN(reportedM)) {
    const groundM = zone.above === 'ground' ? 0 : zone.groundAltHaeM;
    into.gapM = gapBetween(reportedM, floorM - groundM, ceilingM - groundM);
    if (Number.isNaN(flyer.altAglM)) into.basis = 'takeoff';
  } else {
    into.gapM = zone.kind === 'ignore' ? Number.POSITIVE_INFINITY : 0;
    into.basis = 'unknown';
  }
  return into;
}

function gapBetween(heightM: number, floorM: number, ceilingM: number): number {
  return heightM > ceilingM ? heightM - ceilingM : heightM < floorM ? heightM - floorM : 0;
}

/**
 * Time until the track is in the zone's volume, s; Infinity if it will not be within the measured time ahead. The
 * native code computes the time for altitudes. If heights above ground or take-off were compared, two times are needed:
 * until the track is over the zone, and until its height is between floor and ceiling. The later one counts.
 */
export function etaIn(zone: ZoneValue, flyer: Flyer, rows: Float64Array, at: number, gap: HeightGap): number {
  const volumeInS = rows[at + AREA.volumeInS] ?? Number.NaN;
  if (Number.isNaN(volumeInS)) return Number.POSITIVE_INFINITY;
  if (zone.above === 'ellipsoid' && rows[at + AREA.height] !== 0) return volumeInS;
  if (gap.gapM === 0) return volumeInS;
  // Time until the height is between floor and ceiling at the present climb rate, s. Ignores that the track may leave
  // this range again.
  const rightInS = -gap.gapM / flyer.climbMps;
  return rightInS > 0 ? Math.max(volumeInS, rightInS) : Number.POSITIVE_INFINITY;
}
