import type { DecisionPolicy } from '../../model/decision_config.ts';
import { type Threat, type ThreatFactor, threatFactors } from '../../model/threat.ts';
import { AreaPoints } from './area_points.ts';
import type { Reading } from './factors/factor.ts';
import { areaFactors, sumFactors as sumTable, trackStrengths, trackFactors as trackTable } from './factors/table.ts';
import { AreaRelation, type Situation } from './situation.ts';
import { WeightColumn } from './weights.ts';

// These are copies of imported constants. V8 folds constants of the same module into the code, but looks up imported
// ones at every use.
const [trackFactors, sumFactors] = [trackTable, sumTable];
const totalFactors = [...trackTable, ...sumTable];

export type Scored = {
  /** 0 to 100. */
  score: number;
  /**
   * Relation to the protected area that decides the score, which is the one with the most points; null if there is
   * none.
   */
  relation: AreaRelation | null;
};

/** A score with its explanation in words. Every track is scored, but only threats that leave the core are explained. */
export type Explained = Pick<Threat, 'score' | 'factors' | 'nearest_zone' | 'nearest_protected' | 'cpa'>;

type Worded = Pick<ThreatFactor, 'id' | 'unit'> & { text(reading: Reading): string };

/**
 * Computes the threat score of a track. Of all areas, only the one with the most points counts. An additional area
 * therefore never lowers a score, and overlapping areas do not add up. Reuses its memory for each computation; results
 * do not refer to it.
 */
export class ThreatScorer {
  readonly areas = new AreaPoints();
  readonly #weights = new WeightColumn(trackFactors);
  /** Weights and points of the last total, ordered like `trackFactors` followed by `sumFactors`. */
  readonly #applied = new Float64Array(trackFactors.length + sumFactors.length);
  readonly #contributions = new Float64Array(trackFactors.length + sumFactors.length);

  score(situation: Situation, policy: DecisionPolicy): Scored {
    const row = this.#chooseRow(situation, policy);
    const points = row < 0 ? 0 : this.areas.of(row);
    return { score: this.total(points, situation, policy), relation: situation.relations[row] ?? null };
  }

  /**
   * Explains a score. `all` are the relations to all areas; those in `situation` may be fewer, but include the one that
   * decides.
   */
  explain(situation: Situation, policy: DecisionPolicy, all: readonly AreaRelation[] = situation.relations): Explained {
    const row = this.#chooseRow(situation, policy);
    const standing = situation.relations[row] ?? null;
    const score = this.total(row < 0 ? 0 : this.areas.of(row), situation, policy);
    const factors: ThreatFactor[] = [];
    const add = (factor: Worded, value: number, weight: number, contribution: number): void => {
      if (contribution === 0) return;
      const reading = { value, contribution, situation, relation: standing ?? new AreaRelation(), policy };
      const { id, unit } = factor;
      factors.push({ id, value: finite(value), unit, weight, contribution, text: factor.text(reading) });
    };
    if (standing)
      for (const [i, { weight, contribution }] of this.areas.parts(row, policy).entries()) {
        const factor = areaFactors[i];
        if (factor) add(factor, factor.value(standing, situation), weight, contribution);
      }
    for (const [i, factor] of totalFactors.entries())
      add(factor, factor.value(situation), this.#applied[i] ?? 0, this.#contributions[i] ?? 0);
    factors.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || rankOf(a) - rankOf(b));
    const nearest = { nearest_zone: nearestZone(all), nearest_protected: nearestProtected(all) };
    return { score, factors, ...nearest, cpa: cpaOf(standing) };
  }

  /** Score, 0 to 100, of a track whose area factors add up to `points`. */
  total(points: number, situation: Situation, policy: DecisionPolicy): number {
    const weights = this.#weights.of(policy);
    const applied = this.#applied;
    const contributions = this.#contributions;
    const count = trackFactors.length;
    let sum = points;
    trackStrengths(situation, policy.curves, contributions);
    for (let i = 0; i < count; i++) {
      const weight = weights[i] ?? 0;
      const contribution = weight * (contributions[i] ?? 0);
      applied[i] = weight;
      contributions[i] = contribution;
      sum += contribution;
    }
    for (let i = 0; i < sumFactors.length; i++) {
      const factor = sumFactors[i];
      const strength = factor?.strength(situation) ?? 0;
      const weight = strength === 0 ? 0 : (factor?.weight(sum, situation, policy) ?? 0);
      applied[count + i] = weight;
      contributions[count + i] = weight * strength;
      sum += weight * strength;
    }
    return Math.min(100, Math.max(0, sum));
  }

  /**
   * Index of the relation with the most points; −1 if there is none. The result does not depend on the order of
   * relations.
   */
  #chooseRow(situation: Situation, policy: DecisionPolicy): number {
    const { areas } = this;
    const { relations: standings } = situation;
    areas.columns(standings.length).set(standings);
    areas.bound(situation, policy);
    let chosen = -1;
    for (const [i, standing] of standings.entries()) {
      areas.settle(i, standing.heightGapM, standing.dwellS, situation, policy);
      const other = standings[chosen];
      if (!other || areas.isBefore(i, standing.id, chosen, other.id)) chosen = i;
    }
    return chosen;
  }
}

function rankOf({ id }: ThreatFactor): number {
  return threatFactors.indexOf(id);
}

/** Zone nearest to a track, in its wire form; null if there is none. */
function nearestZone(relations: readonly AreaRelation[]): Threat['nearest_zone'] {
  const nearest = nearestOf(relations, ({ zoneKind }) => zoneKind !== null);
  if (nearest === null || nearest.zoneKind === null) return null;
  const { id, zoneKind, distanceM, etaS, etaSigmaS } = nearest;
  const inside = distanceM <= 0;
  return {
    ...{ id, kind: zoneKind, distance_m: Math.max(0, distanceM), inside, depth_m: inside ? -distanceM : null },
    eta_s: finite(etaS),
    eta_sigma_s: finite(etaS) === null ? null : finite(etaSigmaS),
  };
}

/** Protected zone or asset nearest to a track, in its wire form; null if there is none. */
function nearestProtected(relations: readonly AreaRelation[]): Threat['nearest_protected'] {
  const nearest = nearestOf(relations, ({ zoneKind }) => zoneKind === null || zoneKind === 'protected');
  if (nearest === null) return null;
  const { id, kind, distanceM } = nearest;
  const ids = { asset_id: kind === 'asset' ? id : null, zone_id: kind === 'zone' ? id : null };
  return { ...ids, distance_m: Math.max(0, distanceM), inside: distanceM <= 0 };
}

function nearestOf(
  relations: readonly AreaRelation[],
  isMeant: (relation: AreaRelation) => boolean,
): AreaRelation | null {
  let nearest: AreaRelation | null = null;
  for (const relation of relations)
    if (isMeant(relation) && (nearest === null || isNearer(relation, nearest))) nearest = relation;
  return nearest;
}

/**
 * Whether `a` is nearer than `b`. If both contain the track, the more important one comes first, then the one whose
 * edge is nearer.
 */
function isNearer(a: AreaRelation, b: AreaRelation): boolean {
  const [aM, bM] = [Math.max(0, a.distanceM), Math.max(0, b.distanceM)];
  if (aM !== bM) return aM < bM;
  if (a.importance !== b.importance) return a.importance > b.importance;
  const [aEdgeM, bEdgeM] = [Math.abs(a.distanceM), Math.abs(b.distanceM)];
  return aEdgeM === bEdgeM ? a.id < b.id : aEdgeM < bEdgeM;
}

/** Closest approach to the area that decides the score. */
function cpaOf(standing: AreaRelation | null): Threat['cpa'] {
  if (!standing) return null;
  const { kind, id, cpaDistanceM, cpaInS } = standing;
  return {
    asset_id: kind === 'asset' ? id : null,
    zone_id: kind === 'zone' ? id : null,
    distance_m: cpaDistanceM,
    in_s: cpaInS,
  };
}

/** Returns null for an unknown or infinite value. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
