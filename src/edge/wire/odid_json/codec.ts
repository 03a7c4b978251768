import { channelHz } from '../channels.ts';
import type { Codec } from '../codec.ts';
import { createLineCodec, type LineCodecOptions, type LineVerdict } from '../line_codec.ts';
import type { OdidJsonLine } from '../message.ts';
import { printableOf } from '../text_fields.ts';
import type { FlatObject, FlatValue } from './flat_json.ts';
import { BASIC_ID_MAX, type LineForm, readLineForm } from './line_form.ts';

type Position = { latDeg: number | null; lonDeg: number | null };
/** Greatest length of a receiver's name, characters. */
const LONGEST_RECEIVER = 32;
const nowhere: Position = { latDeg: null, lonDeg: null };

function readMac(value: FlatValue | undefined): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? value.toLowerCase() : null;
}

/** Reads a signal strength, dBm; null out of range, and for 0, which a firmware leaves in an unfilled field. */
function readRssi(value: FlatValue | undefined): number | null {
  return typeof value === 'number' && value >= -127 && value <= 20 && value !== 0 ? value : null;
}

/**
 * Reads two members as a position. A missing coordinate, and 0 for both, mean unknown; 0 for one of them is valid.
 * `malformed`: a coordinate is no number. `implausible`: a coordinate is out of range.
 */
function readPosition(members: FlatObject, latKey: string, lonKey: string): Position | 'malformed' | 'implausible' {
  const lat = members.get(latKey) ?? null;
  const lon = members.get(lonKey) ?? null;
  if (lat === null || lon === null) return nowhere;
  if (typeof lat !== 'number' || typeof lon !== 'number') return 'malformed';
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return 'implausible';
  return lat === 0 && lon === 0 ? nowhere : { latDeg: lat, lonDeg: lon };
}

/**
 * Reads a geodetic altitude, m. Null at or below −1,000, which the firmware prints for unknown. Null above 31,767.5,
 * the limit of broadcasts.
 */
function readAltitude(value: FlatValue | undefined): number | null {
  return typeof value === 'number' && value > -1000 && value <= 31_767.5 ? value : null;
}

/**
 * Forms of lines that report no aircraft. They are status lines of the mesh-detect firmwares, boot messages of an
 * ESP32, and log lines of ESP-IDF and Arduino. A log line is, for example, `I (123) tag: text`.
 */
const known: readonly RegExp[] = [
  /^(?:\{")? *\[\+\] [A-Za-z][\w ,.()-]*(?:"\})?$/,
  /^Scanning\.{0,3}$/,
  /^USB Serial \(for JSON\) and UART \(Serial1\) initialized\.$/,
  /^\[(?:HOME|MESH|INFO|WARN)\] \S/,
  /^={8,}$/,
  /^ets [A-Z][a-z]{2} +\d{1,2} \d{4} \d\d:\d\d:\d\d$/,
  /^ESP-ROM:esp32[a-z0-9]*-\d{8}$/,
  /^Build:[A-Z][a-z]{2} +\d{1,2} \d{4}$/,
  /^rst:0x[0-9a-f]+ \([A-Z0-9_]+\),boot:0x[0-9a-f]+ \([A-Z0-9_]+\)$/,
  /^configsip: \d+, SPIWP:0x[0-9a-f]+$/,
  /^SPIWP:0x[0-9a-f]+$/,
  /^clk_drv:0x[0-9a-f]+,q_drv:0x[0-9a-f]+,d_drv:0x[0-9a-f]+,cs0_drv:0x[0-9a-f]+,hd_drv:0x[0-9a-f]+,wp_drv:0x[0-9a-f]+$/,
  /^mode:[A-Z]+, clock div:\d+$/,
  /^load:0x[0-9a-f]+,len:(?:0x)?[0-9a-f]+$/,
  /^entry 0x[0-9a-f]+$/,
  /^[EWIDV] \(\d+\) [\w.-]+: /,
  /^\[ *\d+\]\[[EWIDV]\]\[[\w./-]+:\d+\] /,
];

/** True for a known line that reports no aircraft. Such a line is only a sign of life of the receiver. */
function isStatusLine(text: string): boolean {
  if (!/^[\x20-\x7e]+$/.test(text)) return false;
  return text.startsWith('{')
    ? isStatusObject(text) || known.some((form) => form.test(text))
    : known.some((form) => form.test(text));
}

/** True for an object with `heartbeat` or `status` and without `mac`; a `mac` marks an aircraft. */
function isStatusObject(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || 'mac' in read) return false;
    return 'heartbeat' in read || 'status' in read;
  } catch {
    return false;
  }
}

/**
 * Creates the codec for JSON lines of ESP32 Remote ID receivers, in the format of the mesh-detect firmwares.
 *
 * Boot, status and heartbeat lines of these firmwares are signs of life: they count as messages and report nothing.
 * Other text is no sign of life, because at a wrong baud rate noise may look like text. It counts as `unknown_type`,
 * like other JSON objects without a mac.
 *
 * A line with a mac counts as `malformed` if it is cut off before basic_id, is no single flat object, or repeats a key.
 * A line with an invalid mac, and the end of an object whose beginning was lost, are `malformed` too. An impossible
 * aircraft position counts as `implausible`. An impossible operator position is dropped, and the aircraft is kept.
 */
export function createOdidJsonCodec(options: LineCodecOptions = {}): Codec<OdidJsonLine> {
  return createLineCodec(decodeLine, options);
}

function decodeLine(line: Buffer): LineVerdict<OdidJsonLine> {
  // Latin-1 makes each byte of a hostile basic_id one character. The text is then as long as the broadcast id.
  const text = line.toString('latin1').trim();
  const form = text.startsWith('{') ? readLineForm(text) : null;
  if (form?.members.has('mac')) return decodeForm(form);
  if (isStatusLine(text)) return 'heard';
  return form !== null || isChatter(text) ? 'unknown_type' : 'malformed';
}

function decodeForm({ members, basicId, nodeId }: LineForm): LineVerdict<OdidJsonLine> {
  const mac = readMac(members.get('mac'));
  if (mac === null) return 'malformed';
  const drone = readPosition(members, 'drone_lat', 'drone_long');
  if (typeof drone === 'string') return drone;
  const pilot = readPosition(members, 'pilot_lat', 'pilot_long');
  const altitude = readAltitude(members.get('drone_altitude'));
  return {
    kind: 'odid_json',
    mac,
    rssiDbm: readRssi(members.get('rssi')),
    ...drone,
    // Before the first position, all fields of the firmware's record are zero, including the altitude.
    altGeoM: drone.latDeg === null && altitude === 0 ? null : altitude,
    operatorLatDeg: typeof pilot === 'string' ? null : pilot.latDeg,
    operatorLonDeg: typeof pilot === 'string' ? null : pilot.lonDeg,
    basicId: printableOf(basicId, BASIC_ID_MAX),
    receiver: printableOf(nodeId, LONGEST_RECEIVER),
    channelHz: channelHz(members.get('band'), members.get('channel')),
  };
}

/**
 * True for lines that are not about an aircraft: text without braces, a line such as `{"text"}`, and nested JSON
 * objects without a mac. False for the end of an object whose beginning was lost.
 */
function isChatter(text: string): boolean {
  if (!text.startsWith('{')) return !text.endsWith('}');
  if (/^\{"[^"]*"\}$/.test(text)) return true;
  try {
    return !text.includes('"mac"') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
