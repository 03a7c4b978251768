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

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function points(value: number): string {
  const rounded = Math.round(Math.abs(value) * 10) / 10;
  return `${rounded} ${rounded === 1 ? 'point' : 'points'}`;
}
