import { METRES_PER_FOOT, MPS_PER_KNOT } from '../../../model/units.ts';
import type { Codec } from '../codec.ts';
import { createLineCodec, type LineCodecOptions, type LineVerdict } from '../line_codec.ts';
import type { SbsMessage } from '../message.ts';
import { FieldReader } from '../text_fields.ts';
import { readAddress, readCallsign, readFlag, readSquawk } from './fields.ts';

const FIELDS = 22;
/** Record types of BaseStation that contain no surveillance data. They are signs of life of the receiver. */
const statusRecords = new Set(['SEL', 'ID', 'AIR', 'STA', 'CLK']);
/** Marker lines that stratux writes into its logs. */
const marks = new Set(['START', 'PAUSE', 'UNPAUSE']);
const METRES_PER_SECOND_PER_FPM = METRES_PER_FOOT / 60;

/**
 * Creates the codec for SBS-1 BaseStation (TCP port 30003 of dump1090, readsb and others): `MSG` lines of 22
 * comma-separated fields, with an optional leading timestamp from stratux logs. The dates and times of a line come
 * from the receiver's local clock and are ignored.
 *
 * Status records (SEL, ID, AIR, STA, CLK) count as messages and report nothing. The empty lines that dump1090 and
 * readsb send while they receive nothing count as messages too. Markers of a log, and `MSG` lines with the
 * transmission type 0 or 9, count as `unknown_type`. A line that is no record, or that has a badly formed field,
 * counts as `malformed`. A value that no aircraft can have counts as `implausible`.
 */
export function createSbsCodec(options: LineCodecOptions = {}): Codec<SbsMessage> {
  return createLineCodec(decodeSbsLine, options, { emptyIsReceived: true });
}

/** Decodes one line without its end. */
export function decodeSbsLine(line: Buffer): LineVerdict<SbsMessage> {
  const fields = line.toString('latin1').split(',');
  const at = fields[0] === 'MSG' ? 0 : isTimestamp(fields[0]) ? 1 : 0;
  const record = fields[at]?.trim() ?? '';
  if (statusRecords.has(record)) return 'heard';
  if (record !== 'MSG') return marks.has(record) ? 'unknown_type' : 'malformed';
  if (fields.length - at !== FIELDS) return 'malformed';
  return decodeFields(fields, at);
}

function isTimestamp(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,20}$/.test(text);
}

function decodeFields(fields: readonly string[], at: number): LineVerdict<SbsMessage> {
  const field = (index: number): string => fields[at + index]?.trim() ?? '';
  if (!/^\d$/.test(field(1))) return 'malformed';
  const transmission = Number(field(1));
  if (transmission < 1 || transmission > 8) return 'unknown_type';

  const read = new FieldReader();
  const address = readAddress(read, field(4));
  const position = read.position(field(14), field(15));
  const message: SbsMessage = {
    kind: 'sbs',
    transmission,
    icao24: address.icao24,
    nonIcao: address.nonIcao,
    callsign: readCallsign(field(10)),
    // Mode S altitudes end at 126,700 ft, ADS-B speeds at 4,086 kt and climbs at 32,608 ft/min (ICAO Doc 9871).
    altPressureM: read.scaled(field(11), -2_000, 126_700, METRES_PER_FOOT),
    speedMps: read.scaled(field(12), 0, 4_100, MPS_PER_KNOT),
    courseDeg: read.course(field(13)),
    latDeg: position.latDeg,
    lonDeg: position.lonDeg,
    climbMps: read.scaled(field(16), -32_640, 32_640, METRES_PER_SECOND_PER_FPM),
    squawk: readSquawk(read, field(17)),
    emergency: readFlag(read, field(19)),
    onGround: readFlag(read, field(21)),
  };
  return read.fault ?? message;
}
