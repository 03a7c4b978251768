import type { Codec } from '../codec.ts';
import { createLineCodec, type LineCodecOptions, type LineVerdict } from '../line_codec.ts';
import type { OdidJsonLine } from '../message.ts';
import { channelHz, readAltitude, readBasicId, readMac, readPosition, readReceiver, readRssi } from './fields.ts';
import { type LineForm, readLineForm } from './line_form.ts';
import { isStatusLine } from './status_line.ts';

/**
 * JSON lines of ESP32 Remote ID receivers, as the mesh-detect family of firmwares prints them.
 *
 * Boot, status and heartbeat lines of these firmwares are signs of life: they count as messages and report nothing. Other
 * text counts as `unknown_type`: at a wrong baud rate anything may look like text. A line that is cut off before basic_id, is no single flat object, names a key twice or has no proper mac counts as `malformed`; an aircraft
 * position that cannot be, as `implausible`. An operator position that cannot be is dropped and the aircraft kept.
 */
export function createOdidJsonCodec(options: LineCodecOptions = {}): Codec<OdidJsonLine> {
  return createLineCodec(decodeLine, options);
}

function decodeLine(line: Buffer): LineVerdict<OdidJsonLine> {
  // Latin-1 gives every byte of a hostile basic_id one character, so that lengths are those of the air.
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
    // Before the first position is heard the firmware's record is all zeros, its altitude too.
    altGeoM: drone.latDeg === null && altitude === 0 ? null : altitude,
    operatorLatDeg: typeof pilot === 'string' ? null : pilot.latDeg,
    operatorLonDeg: typeof pilot === 'string' ? null : pilot.lonDeg,
    basicId: readBasicId(basicId),
    receiver: readReceiver(nodeId),
    channelHz: channelHz(members.get('band'), members.get('channel')),
  };
}

/**
 * Lines that were never about an aircraft: text outside braces, the status line that is a bare text in braces, and
 * status objects with lists in them. The end of an object whose beginning was lost is none of these.
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
