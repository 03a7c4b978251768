import type { Settings } from '../state/setting_values.ts';

/** Degrees, minutes and seconds with one decimal, followed by the letter of the hemisphere. */
function dms(deg: number, [positive, negative]: readonly [string, string], digits: number): string {
  const tenths = Math.round(Math.abs(deg) * 36_000);
  const [whole, minutes] = [Math.floor(tenths / 36_000), Math.floor((tenths % 36_000) / 600)];
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return `${String(whole).padStart(digits, '0')}°${String(minutes).padStart(2, '0')}′${seconds}″${deg < 0 ? negative : positive}`;
}

/** A position in the format that this screen uses, WGS 84. */
export function placeText(
  { lat, lon }: { lat: number; lon: number },
  { positionFormat }: Pick<Settings, 'positionFormat'>,
): string {
  if (positionFormat === 'decimal') return `${lat.toFixed(6)}, ${lon.toFixed(6)}`;
  return `${dms(lat, ['N', 'S'], 2)} ${dms(lon, ['E', 'W'], 3)}`;
}
