import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { FactorUnit, ThreatFactorId } from '../../model/threat.ts';
import type { Situation, Standing } from './situation.ts';

/** What a factor's sentence is made of. */
export type Reading = {
  value: number;
  contribution: number;
  situation: Situation;
  standing: Standing;
  policy: DecisionPolicy;
};

/** How a factor is told: its unit, null for what is so or is not, and its sentence. */
export type Wording = { unit: FactorUnit | null; say(reading: Reading): string };
export type Wordings = Partial<Record<ThreatFactorId, Wording>>;

export function metres(m: number): string {
  return Math.abs(m) < 1_000 ? `${Math.round(m)} m` : `${(m / 1_000).toFixed(1)} km`;
}

export function seconds(s: number): string {
  return s < 120 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function points(value: number): string {
  const rounded = Math.round(Math.abs(value) * 10) / 10;
  return `${rounded} ${rounded === 1 ? 'point' : 'points'}`;
}
