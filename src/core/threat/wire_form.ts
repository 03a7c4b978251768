import type { Threat } from '../../model/threat.ts';
import type { AreaRelation } from './situation.ts';

/** The zone nearest to a track, in its wire form; null where there is none. */
export function nearestZone(relations: readonly AreaRelation[]): Threat['nearest_zone'] {
  let nearest: AreaRelation | null = null;
  for (const relation of relations) {
    if (relation.kind !== 'zone') continue;
    if (!nearest || isNearer(relation, nearest)) nearest = relation;
  }
  if (!nearest) return null;
  const { id, distanceM, etaS, etaSigmaS } = nearest;
  return {
    id,
    distance_m: distanceM,
    eta_s: finite(etaS),
    eta_sigma_s: finite(etaS) === null ? null : finite(etaSigmaS),
  };
}

/** Zones that contain the track are equally near: the more important one comes first, then the one with the nearer edge. */
function isNearer(a: AreaRelation, b: AreaRelation): boolean {
  const [aM, bM] = [Math.max(0, a.distanceM), Math.max(0, b.distanceM)];
  if (aM !== bM) return aM < bM;
  if (a.importance !== b.importance) return a.importance > b.importance;
  const [aEdgeM, bEdgeM] = [Math.abs(a.distanceM), Math.abs(b.distanceM)];
  return aEdgeM === bEdgeM ? a.id < b.id : aEdgeM < bEdgeM;
}

/** Closest approach to the area that a score is about. */
export function cpaOf(standing: AreaRelation | null): Threat['cpa'] {
  if (!standing) return null;
  const { kind, id, cpaDistanceM, cpaInS } = standing;
  return {
    asset_id: kind === 'asset' ? id : null,
    zone_id: kind === 'zone' ? id : null,
    distance_m: cpaDistanceM,
    in_s: cpaInS,
  };
}

/** Null for what is not known or never happens. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
