import type { HeightReference } from './situation.ts';

export function metres(m: number): string {
  return Math.abs(m) < 1_000 ? `${Math.round(m)} m` : `${(m / 1_000).toFixed(1)} km`;
}

/** Returns a height with its reference, for example `97 m above ground`. */
export function heightAbove(m: number, reference: HeightReference): string {
  const side = Math.round(m) < 0 ? 'below' : 'above';
  return `${metres(Math.abs(m))} ${side} ${reference === 'ground' ? 'ground' : 'its take-off point'}`;
}

export function seconds(s: number): string {
  return s < 120 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`;
}

/** A share in percent. A share that is close to 1, but not 1, is not rounded to 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 100 && share < 1 ? 'over 99 %' : `${rounded} %`;
}

export function points(value: number): string {
  const rounded = Math.round(Math.abs(value) * 10) / 10;
  if (rounded === 0 && value !== 0) return 'less than 0.1 points';
  return `${rounded} ${rounded === 1 ? 'point' : 'points'}`;
}
