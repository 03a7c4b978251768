import { readSentence } from '../../edge/wire/nmea/sentence.ts';
import { readSniffleLine } from '../../edge/wire/radio/sniffle_line.ts';
import { parseHexLine } from './hex_lines.ts';
import { isPacketFile } from './packet_file.ts';
import { rawMavlinkBytes } from './raw_mavlink.ts';
import { isRecording } from './recording_frames.ts';
import { tlogBytes } from './tlog.ts';

/** Formats of capture files, with the names of `--format`. */
export const captureFormats = ['recording', 'hex', 'tlog', 'mavlink', 'pcap', 'sbs', 'nmea', 'lines'] as const;
export type CaptureFormat = (typeof captureFormats)[number];

/** Number of first bytes from which the format is detected. A shorter head is the whole file. */
const HEAD_BYTES = 65_536;

/** Detects a capture's format from its first bytes. Returns null if the format is unknown. */
export function detectFormat(head: Buffer): CaptureFormat | null {
  if (isPacketFile(head)) return 'pcap';
  if (isRecording(head)) return 'recording';
  const lines = head.toString('latin1').split('\n', 2_000);
  if (lines.some((line) => line.includes('"hex"') && typeof parseHexLine(line) === 'object')) return 'hex';
  if (lines.some((line) => /^(?:\d{1,18},)?MSG,[1-8],/.test(line))) return 'sbs';
  if (lines.some((line) => line.includes('$') && typeof readSentence(Buffer.from(line, 'latin1')) === 'object')) {
    return 'nmea';
  }
  const whole = head.length < HEAD_BYTES;
  const inRecords = tlogBytes(head, whole);
  const inFrames = rawMavlinkBytes(head, whole);
  if (Math.max(inRecords, inFrames) >= head.length / 2) return inRecords >= inFrames ? 'tlog' : 'mavlink';
  return isText(head) && lines.some(isFrameLine) ? 'lines' : null;
}

/**
 * Returns true for a line that some link can read: JSON of an ESP32 receiver or of the protocol `obs_json`, Remote ID
 * as hexadecimal digits, or a message of a Sniffle dongle.
 */
function isFrameLine(line: string): boolean {
  const text = line.trim();
  if (text.startsWith('{')) return /"(?:mac|sensor_id)"\s*:/.test(text);
  return /^(?:[0-9a-f]{2}\s?){25,}$/i.test(text) || typeof readSniffleLine(Buffer.from(text)) === 'object';
}

function isText(head: Buffer): boolean {
  let strange = 0;
  for (const byte of head) {
    if (byte === 0) return false;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) strange++;
  }
  return strange <= head.length / 50;
}
