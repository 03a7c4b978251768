import type { FlatObject, FlatValue } from './flat_json.ts';
import { BASIC_ID_MAX } from './line_form.ts';

type Position = { latDeg: number | null; lonDeg: number | null };
const nowhere: Position = { latDeg: null, lonDeg: null };

export function readMac(value: FlatValue | undefined): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? value.toLowerCase() : null;
}

/** Signal strength; 0 is a field nobody filled in. */
export function readRssi(value: FlatValue | undefined): number | null {
  return typeof value === 'number' && value >= -127 && value <= 20 && value !== 0 ? value : null;
}

/**
 * Two members as a position. 0, 0 is unknown (one of the two alone may be 0), and so is a position with a part missing.
 * 'malformed' where a part is no number, 'implausible' where it is no latitude or longitude.
 */
export function readPosition(
  members: FlatObject,
  latKey: string,
  lonKey: string,
): Position | 'malformed' | 'implausible' {
  const lat = members.get(latKey) ?? null;
  const lon = members.get(lonKey) ?? null;
  if (lat === null || lon === null) return nowhere;
  if (typeof lat !== 'number' || typeof lon !== 'number') return 'malformed';
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return 'implausible';
  return lat === 0 && lon === 0 ? nowhere : { latDeg: lat, lonDeg: lon };
}

/** Geodetic altitude: the firmware prints -1000, unknown, as any number; the air carries up to 31 767.5 m. */
export function readAltitude(value: FlatValue | undefined): number | null {
  return typeof value === 'number' && value > -1000 && value <= 31_767.5 ? value : null;
}

/** Printable ASCII of one to twenty characters, or null: what a transmitter names itself is shown to people. */
export function readBasicId(value: FlatValue): string | null {
  return printable(value, BASIC_ID_MAX);
}

export function readReceiver(value: FlatValue): string | null {
  return printable(value, 32);
}

function printable(value: FlatValue, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text.length > 0 && text.length <= longest && /^[\x20-\x7e]+$/.test(text) ? text : null;
}

/** Centre of a Bluetooth LE advertising channel (Bluetooth Core 5.4, vol. 6 part B, 1.4.1). */
const advertisingHz: Readonly<Record<number, number>> = { 37: 2402e6, 38: 2426e6, 39: 2480e6 };

/**
 * Centre frequency of a Wi-Fi channel (IEEE 802.11-2020, 15.4.4.3 and 17.3.8.4.2) or an advertising channel. Without a
 * band the number tells it, for the two Wi-Fi bands share none. Null where the channel is not one of its band.
 */
export function channelHz(band: FlatValue | undefined, channel: FlatValue | undefined): number | null {
  if (typeof channel !== 'number' || !Number.isInteger(channel)) return null;
  if (band === 'BLE') return advertisingHz[channel] ?? null;
  const low = band !== '5GHz';
  const high = band !== '2.4GHz';
  if (low && channel >= 1 && channel <= 13) return (2407 + 5 * channel) * 1e6;
  if (low && channel === 14) return 2484e6;
  if (high && channel >= 32 && channel <= 177) return (5000 + 5 * channel) * 1e6;
  return null;
}
