import type { Threat, ThreatFactor, ThreatFactorId } from '../../model/threat.ts';

/** Factors about the one protected area that decides a score. */
const ofArea: ReadonlySet<ThreatFactorId> = new Set<ThreatFactorId>([
  ...(['inside', 'approach', 'proximity', 'closest_approach', 'closing'] as const),
  ...(['low_altitude', 'dwell', 'loiter', 'operator_near'] as const),
]);

/** A line of an explanation: one factor, or all factors about the protected area, the greatest first. */
export type FactorLine = { contribution: number; factors: readonly ThreatFactor[] };

/**
 * Lines of a score's explanation, by their points without the sign, the greatest first. Factors about the protected
 * area share a line. Others with 0 points, when rounded, are left out: they explain nothing.
 */
export function factorLines(factors: Threat['factors']): FactorLine[] {
  const area = factors.filter(({ id }) => ofArea.has(id));
  const others = factors.filter(({ id, contribution }) => !ofArea.has(id) && Math.round(contribution) !== 0);
  const lines = others.map((factor): FactorLine => ({ contribution: factor.contribution, factors: [factor] }));
  if (area.length > 0)
    lines.push({ contribution: area.reduce((sum, { contribution }) => sum + contribution, 0), factors: area });
  return lines.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
}

/** Factors about the way to the protected area. They have full points inside of it, where there is no way left. */
const ofWay: ReadonlySet<ThreatFactorId> = new Set(['approach', 'proximity', 'closest_approach', 'closing']);

/** Part of the points about the protected area: a factor, or `there`, the sum of `ofWay` inside the area. */
export type AreaPart = { id: ThreatFactorId | 'there'; contribution: number };

/** Parts of the points about the protected area that are not 0 when rounded, in the order of `factors`. */
export function areaParts(factors: readonly ThreatFactor[]): AreaPart[] {
  const isThere = factors.some(({ id, value }) => id === 'inside' && value !== null && value <= 0);
  const parts: AreaPart[] = [];
  for (const { id, contribution } of factors) {
    const part = isThere && ofWay.has(id) ? 'there' : id;
    const known = parts.find((one) => one.id === part);
    if (known === undefined) parts.push({ id: part, contribution });
    else known.contribution += contribution;
  }
  return parts.filter(({ contribution }) => Math.round(contribution) !== 0);
}

/**
 * The factor that raises a score most, without the factors about the protected area: a row of the list already says
 * where the track is. Without such a factor it is `greatestFactor`. The daemon sends the greatest factors first.
 */
export function furtherReason(factors: Threat['factors']): ThreatFactor | undefined {
  return factors.find(({ id, contribution }) => contribution > 0 && !ofArea.has(id)) ?? greatestFactor(factors);
}

/** The factor that raises a score most; the first factor where none raises it; undefined without factors. */
export function greatestFactor(factors: Threat['factors']): ThreatFactor | undefined {
  return factors.find(({ contribution }) => contribution > 0) ?? factors[0];
}
