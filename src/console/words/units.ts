import type { Settings } from '../state/setting_values.ts';

export type Units = Pick<Settings, 'heightUnit' | 'speedUnit'>;

const speeds = {
  mps: { factor: 1, name: 'm/s' },
  kmh: { factor: 3.6, name: 'km/h' },
  kt: { factor: 3_600 / 1_852, name: 'kt' },
  mph: { factor: 3_600 / 1_609.344, name: 'mph' },
} as const;

/** A height in the unit of this screen, for labels; `?` where it is unknown. The caller adds the datum. */
export function heightText(m: number | null | undefined, { heightUnit }: Units): string {
  if (m === null || m === undefined) return `? ${heightUnit}`;
  return `${Math.round(heightUnit === 'ft' ? m / 0.3048 : m)} ${heightUnit}`;
}

/** A speed in the unit of this screen, for labels; `?` where it is unknown. */
export function speedText(mps: number | null | undefined, { speedUnit }: Units): string {
  const { factor, name } = speeds[speedUnit];
  return mps === null || mps === undefined ? `? ${name}` : `${Math.round(mps * factor)} ${name}`;
}

/** A height as a value of its own: `heightText`, or the word `unknown`. */
export function heightFact(m: number | null | undefined, units: Units): string {
  return m === null || m === undefined ? 'unknown' : heightText(m, units);
}

/** A speed as a value of its own: `speedText`, or the word `unknown`. */
export function speedFact(mps: number | null | undefined, units: Units): string {
  return mps === null || mps === undefined ? 'unknown' : speedText(mps, units);
}

/** A distance without its sign: metres below 1 km, kilometres with one decimal below 10 km, else whole kilometres. */
export function distanceText(m: number): string {
  const away = Math.abs(m);
  return away < 1_000 ? `${Math.round(away)} m` : `${(away / 1_000).toFixed(away < 10_000 ? 1 : 0)} km`;
}

/** A duration: `41 s`, `4 min 05 s`, `2 h 10 min`. */
export function durationText(s: number): string {
  const whole = Math.max(0, Math.round(s));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3_600)} h ${String(Math.floor((whole % 3_600) / 60)).padStart(2, '0')} min`;
}

/** A sentence of the daemon with a capital letter and a full stop, for a place where it stands alone. */
export function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** A direction as three digits with its degree sign. */
export function bearingText(deg: number): string {
  return `${String(Math.round(deg) % 360).padStart(3, '0')}°`;
}

/** A rate of climb in m/s, without the sign of a rounded zero. */
export function climbText(mps: number): string {
  return `${(Math.round(mps * 10) / 10 || 0).toFixed(1)} m/s`;
}

/** Clock time of a timestamp in UTC, to the second. */
export function clockText(at: string): string {
  return `${at.slice(11, 19)}Z`;
}

/** A time of day, with its date where that is not the day of `now`. */
export function momentText(at: string, now: string): string {
  return at.slice(0, 10) === now.slice(0, 10) ? clockText(at) : `${at.slice(0, 10)} ${clockText(at)}`;
}
