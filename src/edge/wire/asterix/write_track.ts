import { METRES_PER_FOOT } from '../../../model/units.ts';
import { type Category, categoryOf } from './notation.ts';
import type { Decoded, DecodedRecord } from './read_item.ts';
import { cat062 } from './tables/cat062.ts';
import { cat065 } from './tables/cat065.ts';
import { writeBlock } from './write_block.ts';
import { writeRecord } from './write_item.ts';

/** SAC and SIC: area and number of the sending system. */
export type AsterixSource = { sac: number; sic: number };

/** Track to be sent, in SI units; unknown values are null. */
export type SentTrack = {
  /** Item 040: track number, 16 bits. */
  track: number;
  utcMs: number;
  latDeg: number;
  lonDeg: number;
  altHaeM: number | null;
  eastMps: number | null;
  northMps: number | null;
  climbMps: number | null;
  sigmaEastM: number | null;
  sigmaNorthM: number | null;
  sigmaVM: number | null;
  /** Age of the track since its first report, s. */
  ageS: number;
  /** True if only one sensor reports the track. */
  isMonosensor: boolean;
  isTentative: boolean;
  isSimulated: boolean;
  /** True if other sensors contradict the reports of the aircraft about itself. */
  isDoubtful: boolean;
  /** True if the position is a prediction. */
  isCoasting: boolean;
  /** Source of the height (item 080 SRC). */
  heightFrom: 'unknown' | 'gnss' | 'radar';
  /**
   * Item 245: letters and digits, of which the first 8 are sent. `isReceived` is true if the aircraft itself sends
   * the text.
   */
  ident: { text: string; isReceived: boolean };
};

const CAT_TRACKS = 62;
const CAT_SERVICE = 65;
/** Categories 062 and 065, parsed from their tables when the first block is written. */
let sent: { tracks: Category; service: Category } | undefined;
/** Item 015: number of the service within the system. The system has only this one. */
const SERVICE = 1;
/** Item 000 of CAT 065: the message reports the status of the system. */
const SYSTEM_STATUS = 1;
const S_PER_DAY = 86_400;
const MPS_PER_FPM = METRES_PER_FOOT / 60;
const heightSources = { unknown: 0, gnss: 1, radar: 2 } as const;
/** Item 245 STI: `received` for a call sign that the aircraft sends, `given` for one from elsewhere. */
const idents = { received: 0, given: 1 } as const;

/** Writes one track as CAT 062 (EUROCONTROL-SPEC-0149-9, edition 1.20). */
export function trackBlock(source: AsterixSource, track: SentTrack): Uint8Array {
  const { latDeg, lonDeg, eastMps, northMps, climbMps, altHaeM } = track;
  const hasVelocity = eastMps !== null && northMps !== null;
  return trackRecordBlock({
    ...headOf(source, track.track, track.utcMs),
    // The range of longitudes excludes 180°, which is therefore written as −180°.
    '105': { LAT: latDeg, LON: lonDeg >= 180 ? lonDeg - 360 : lonDeg },
    ...(hasVelocity && { '185': { VX: eastMps, VY: northMps } }),
    '245': { STI: track.ident.isReceived ? idents.received : idents.given, CHR: track.ident.text },
    '080': statusOf(track),
    '290': { TRK: track.ageS },
    ...(altHaeM !== null && { '130': altHaeM / METRES_PER_FOOT }),
    ...(climbMps !== null && { '220': climbMps / MPS_PER_FPM }),
    ...accuracyOf(track),
  });
}

/** Writes the last message about a track (item 080 TSE). */
export function endBlock(source: AsterixSource, track: number, utcMs: number): Uint8Array {
  return trackRecordBlock({ ...headOf(source, track, utcMs), '080': { MON: 0, TSE: 1 } });
}

/** Writes a status message of CAT 065 (EUROCONTROL-SPEC-0149-15, edition 1.6): the system works (item 040 NOGO 0). */
export function statusBlock({ sac, sic }: AsterixSource, utcMs: number): Uint8Array {
  const record: DecodedRecord = {
    ...{ '010': { SAC: sac, SIC: sic }, '000': SYSTEM_STATUS, '015': SERVICE, '030': timeOfDayS(utcMs) },
    '040': { NOGO: 0 },
  };
  return writeBlock(CAT_SERVICE, writeRecord(sentCategories().service, record));
}

const trackRecordBlock = (record: DecodedRecord): Uint8Array =>
  writeBlock(CAT_TRACKS, writeRecord(sentCategories().tracks, record));

function headOf({ sac, sic }: AsterixSource, track: number, utcMs: number): DecodedRecord {
  return { '010': { SAC: sac, SIC: sic }, '015': SERVICE, '070': timeOfDayS(utcMs), '040': track };
}

/** Returns s since midnight UTC in steps of 1/128 s. A time that rounds up to midnight becomes 0, not 86,400. */
function timeOfDayS(utcMs: number): number {
  return (Math.round((utcMs / 1_000) * 128) / 128) % S_PER_DAY;
}

/**
 * Writes item 080. The bit MRH is 1 because the height is geometric. A coasting track has the age bits of all kinds of
 * sensors, because none has a new report.
 */
function statusOf(track: SentTrack): Decoded {
  const { isMonosensor, isTentative, isSimulated, isDoubtful, isCoasting, heightFrom } = track;
  const isAged = { PSR: 1, SSR: 1, MDS: 1, ADS: 1 };
  return {
    ...{ MON: Number(isMonosensor), MRH: 1, SRC: heightSources[heightFrom], CNF: Number(isTentative) },
    ...((isSimulated || isDoubtful) && { SIM: Number(isSimulated), AFF: Number(isDoubtful) }),
    ...(isCoasting && { CST: 1, ...isAged }),
  };
}

/** Writes item 500: standard deviations of the position to the east and north, and of the geometric height. */
function accuracyOf({ sigmaEastM, sigmaNorthM, sigmaVM, altHaeM }: SentTrack): DecodedRecord {
  const horizontal = sigmaEastM !== null && sigmaNorthM !== null && { APC: { X: sigmaEastM, Y: sigmaNorthM } };
  const vertical = sigmaVM !== null && altHaeM !== null && { AGA: sigmaVM / METRES_PER_FOOT };
  return horizontal || vertical ? { '500': { ...horizontal, ...vertical } } : {};
}

function sentCategories(): { tracks: Category; service: Category } {
  sent ??= { tracks: categoryOf(cat062), service: categoryOf(cat065) };
  return sent;
}
