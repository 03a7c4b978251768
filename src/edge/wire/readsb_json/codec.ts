import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { METRES_PER_FOOT, MPS_PER_KNOT } from '../../../model/units.ts';
import { emitterOf, sigmaOfNacp, sigmaOfRadius } from '../adsb_terms.ts';
import type { Codec } from '../codec.ts';
import { createLineCodec, type LineCodecOptions, type LineVerdict } from '../line_codec.ts';
import type { DatedAdsbReport } from '../message.ts';
import { readCallsign } from '../sbs/fields.ts';

/** Longest line, bytes. readsb writes about 1,500 with every field. */
const MAX_LINE_BYTES = 16_384;
const MPS_PER_FPM = METRES_PER_FOOT / 60;
const GROUND = 'ground';
/** Greatest accepted age of a position at the time of its line (`seen_pos`), s. */
const MOST_SEEN_S = 3_600;

const text = z.string().nullish();

/**
 * Fields from README-json.md of readsb. The limits come from Mode S (ICAO Doc 9871), as in the SBS codec. Other fields
 * are ignored, because readsb adds some with each version.
 */
const lineSchema = z.looseObject({
  now: within(0, 1e11),
  hex: z.string().regex(/^~?[0-9a-f]{6}$/i),
  flight: text,
  lat: within(-90, 90),
  lon: within(-180, 180),
  seen_pos: within(0, MOST_SEEN_S),
  alt_geom: within(-2_000, 126_700),
  alt_baro: z.union([z.literal(GROUND), z.number().min(-2_000).max(126_700)]).nullish(),
  gs: within(0, 4_100),
  track: within(0, 360),
  geom_rate: within(-32_640, 32_640),
  baro_rate: within(-32_640, 32_640),
  category: text,
  nac_p: within(0, 11),
  rc: within(0, 100_000),
  emergency: text,
});

function within(min: number, max: number) {
  return z.number().min(min).max(max).nullish();
}

/**
 * Creates the codec for JSON of readsb (`--net-json-port`), one aircraft a line. Units are feet and knots. `rssi` is
 * ignored, because it is relative to full scale and not in dBm. Numbers out of range count as `implausible`, other
 * faults as `malformed`.
 */
export function createReadsbJsonCodec(options: LineCodecOptions = {}): Codec<DatedAdsbReport> {
  return createLineCodec(decodeLine, options, { maxBytes: MAX_LINE_BYTES });
}

function decodeLine(line: Buffer): LineVerdict<DatedAdsbReport> {
  let value: unknown;
  try {
    if (!isUtf8(line)) return 'malformed';
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return 'malformed';
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return parsed.error.issues.every(isRange) ? 'implausible' : 'malformed';
  return reportOf(parsed.data);
}

/** True if an issue is a number out of range. In a union the issues are nested. */
function isRange(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.some((errors) => errors.length > 0 && errors.every(isRange));
  return (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'number';
}

function reportOf(line: z.infer<typeof lineSchema>): LineVerdict<DatedAdsbReport> {
  const icao24 = line.hex.replace('~', '').toUpperCase();
  if (icao24 === '000000') return 'implausible';
  const { lat = null, lon = null, alt_baro: altitude } = line;
  if ((lat === null) !== (lon === null)) return 'malformed';
  const category = line.category?.trim().toUpperCase() || null;
  const course = line.track ?? null;
  return {
    kind: 'adsb',
    icao24,
    nonIcao: line.hex.startsWith('~'),
    callsign: readCallsign(line.flight?.trim() ?? ''),
    altPressureM: typeof altitude === 'number' ? altitude * METRES_PER_FOOT : null,
    altHaeM: scaled(line.alt_geom, METRES_PER_FOOT),
    speedMps: scaled(line.gs, MPS_PER_KNOT),
    courseDeg: course === 360 ? 0 : course,
    ...{ latDeg: lat, lonDeg: lon },
    climbMps: scaled(line.geom_rate ?? line.baro_rate, MPS_PER_FPM),
    sigmaHM: sigmaOfNacp(line.nac_p ?? null) ?? (line.rc ? sigmaOfRadius(line.rc) : null),
    ...{ category, emitter: emitterOf(category) },
    emergency: line.emergency == null ? null : line.emergency !== 'none',
    onGround: altitude == null ? null : altitude === GROUND,
    sourceMs: line.now == null ? null : (line.now - (line.seen_pos ?? 0)) * 1_000,
    sentMs: scaled(line.now, 1_000),
  };
}

function scaled(value: number | null | undefined, unit: number): number | null {
  return value == null ? null : value * unit;
}
