import { readSentence } from '../../edge/wire/nmea/sentence.ts';
import { Fault } from '../../model/fault.ts';
import { parseHexLine } from './hex_lines.ts';
import { rawMavlinkBytes } from './raw_mavlink.ts';
import { isRecording } from './recording_frames.ts';
import { tlogBytes } from './tlog.ts';

/** Forms of capture files, as `--format` names them. */
export const captureFormats = ['recording', 'hex', 'tlog', 'mavlink', 'sbs', 'nmea', 'lines'] as const;
export type CaptureFormat = (typeof captureFormats)[number];

/** A head shorter than this is the whole file. */
const HEAD_BYTES = 65_536;

/** Detects a capture's format from its first bytes; null where it is unknown. */
export function detectFormat(head: Buffer): CaptureFormat | null {
  refusePackets(head);
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
  return isText(head) ? 'lines' : null;
}

/** First bytes of pcap (both byte orders, micro- and nanoseconds) and of pcapng. */
const packetMagics = ['a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1', '0a0d0d0a'];

function refusePackets(head: Buffer): void {
  if (!packetMagics.includes(head.subarray(0, 4).toString('hex'))) return;
  const forms = captureFormats.join(', ');
  throw new Fault(
    'invalid_input',
    `a packet capture (pcap) holds radio frames, which no link takes; what can be played is: ${forms}`,
  );
}

function isText(head: Buffer): boolean {
  let strange = 0;
  for (const byte of head) {
    if (byte === 0) return false;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) strange++;
  }
  return strange <= head.length / 50;
}
