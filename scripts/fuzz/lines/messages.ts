import type { WireMessage } from '../../../src/edge/feed/protocols.ts';

/** Each named field is null or within its range, inclusive. */
type Ranges = Readonly<Record<string, readonly [number, number]>>;

const ranges: Ranges = {
  latDeg: [-90, 90],
  lonDeg: [-180, 180],
  operatorLatDeg: [-90, 90],
  operatorLonDeg: [-180, 180],
  altGeoM: [-999.999, 31_767.5],
  rssiDbm: [-127, 20],
  channelHz: [2.4e9, 5.9e9],
  altPressureM: [-1_000, 40_000],
  speedMps: [0, 2_200],
  climbMps: [-170, 170],
  courseDeg: [0, 359.999_999_999],
  altHaeM: [-1_000, 40_000],
  sigmaHM: [0, 41_000],
  altMslM: [-1_000, 100_000],
  geoidSeparationM: [-200, 200],
  hdop: [0, 99],
  satellites: [0, 255],
  utcMs: [Date.UTC(2020, 0, 1), Date.UTC(2080, 0, 1)],
  transmission: [1, 8],
};

/** What a message of a line codec says that it must never say, or null. */
export function faultOfMessage(message: WireMessage): string | null {
  const fields = message as unknown as Record<string, unknown>;
  for (const [name, [min, max]] of Object.entries(ranges)) {
    const value = fields[name];
    if (value == null) continue;
    if (typeof value !== 'number' || !(value >= min && value <= max)) return `${name} is ${String(value)}`;
  }
  if ((fields.latDeg === null) !== (fields.lonDeg === null)) return 'half a position';
  switch (message.kind) {
    case 'odid_json':
      if (!/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(message.mac)) return `mac ${message.mac}`;
      return message.basicId === null || /^[\x20-\x7e]{1,20}$/.test(message.basicId)
        ? null
        : 'an id that cannot be shown';
    case 'sbs':
      if (!/^[0-9A-F]{6}$/.test(message.icao24)) return `address ${message.icao24}`;
      return message.squawk === null || /^[0-7]{4}$/.test(message.squawk) ? null : `squawk ${message.squawk}`;
    case 'adsb':
      return /^[0-9A-F]{6}$/.test(message.icao24) ? null : `address ${message.icao24}`;
    case 'observation':
      return faultOfRow(message.row.position?.lat, message.row.position?.lon);
    default:
      return null;
  }
}

function faultOfRow(lat: number | undefined, lon: number | undefined): string | null {
  if (lat === undefined || lon === undefined) return null;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? null : `a position at ${lat}, ${lon}`;
}
