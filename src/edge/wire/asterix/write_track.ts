import { METRES_PER_FOOT } from '../../../model/units.ts';
import { type Category, categoryOf } from './notation.ts';
import type { Decoded, DecodedRecord } from './read_item.ts';
import { cat062 } from './tables/cat062.ts';
import { cat065 } from './tables/cat065.ts';
import { writeBlock } from './write_block.ts';
import { writeRecord } from './write_item.ts';

/** Area and number of the sending system. */
export type AsterixSource = { sac: number; sic: number };

/** A track as a system sends it: SI units, null where a value is not known. */
export type SentTrack = {
  /** 040: 16 bits. */
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
  /** Age of the track since its first report. */
  ageS: number;
  /** Whether one sensor alone reports it. */
  isMonosensor: boolean;
  isTentative: boolean;
  isSimulated: boolean;
  /** Whether what the aircraft says of itself does not agree with other sensors. */
  isDoubtful: boolean;
  /** Whether the position is a prediction. */
  isCoasting: boolean;
  /** 080 SRC: source of the height. */
  heightFrom: 'unknown' | 'gnss' | 'radar';
  /** 245: letters and digits, of which 8 are sent; `isReceived` where the aircraft itself sends it. */
  ident: { text: string; isReceived: boolean };
};

const CAT_TRACKS = 62;
const CAT_SERVICE = 65;
/** Both categories, read from their tables when the first block is written. */
let sent: { tracks: Category; service: Category } | undefined;
/** 015: a number that the system gives to its services; this one has a single service. */
const SERVICE = 1;
/** 000 of CAT 065: status of the system. */
const SYSTEM_STATUS = 1;
const S_PER_DAY = 86_400;
const MPS_PER_FPM = METRES_PER_FOOT / 60;
const heightSources = { unknown: 0, gnss: 1, radar: 2 } as const;
/** 245 STI: a callsign that the aircraft sends, and one that it does not send. */
const idents = { received: 0, given: 1 } as const;

/** CAT 062 of EUROCONTROL-SPEC-0149-9, edition 1.20: one track. */
export function trackBlock(source: AsterixSource, track: SentTrack): Uint8Array {
  const { latDeg, lonDeg, eastMps, northMps, climbMps, altHaeM } = track;
  const hasVelocity = eastMps !== null && northMps !== null;
  return trackRecordBlock({
    ...headOf(source, track.track, track.utcMs),
    // The east end of the range is the west end: 180° itself has no number.
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

/** The last message about a track (080 TSE). */
export function endBlock(source: AsterixSource, track: number, utcMs: number): Uint8Array {
  return trackRecordBlock({ ...headOf(source, track, utcMs), '080': { MON: 0, TSE: 1 } });
}

/** CAT 065 of EUROCONTROL-SPEC-0149-15, edition 1.6: the system works (040 NOGO 0). */
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

/** Seconds since midnight UTC. The last step before midnight rounds to 0, and not to a whole day. */
function timeOfDayS(utcMs: number): number {
  return (Math.round((utcMs / 1_000) * 128) / 128) % S_PER_DAY;
}

/** 080. MRH: the height of these messages is geometric. A coasting track has no new report of any kind of sensor. */
function statusOf(track: SentTrack): Decoded {
  const { isMonosensor, isTentative, isSimulated, isDoubtful, isCoasting, heightFrom } = track;
  const isAged = { PSR: 1, SSR: 1, MDS: 1, ADS: 1 };
  return {
    ...{ MON: Number(isMonosensor), MRH: 1, SRC: heightSources[heightFrom], CNF: Number(isTentative) },
    ...((isSimulated || isDoubtful) && { SIM: Number(isSimulated), AFF: Number(isDoubtful) }),
    ...(isCoasting && { CST: 1, ...isAged }),
  };
}

/** 500: standard deviations to the east, to the north and of the geometric height. */
function accuracyOf({ sigmaEastM, sigmaNorthM, sigmaVM, altHaeM }: SentTrack): DecodedRecord {
  const horizontal = sigmaEastM !== null && sigmaNorthM !== null && { APC: { X: sigmaEastM, Y: sigmaNorthM } };
  const vertical = sigmaVM !== null && altHaeM !== null && { AGA: sigmaVM / METRES_PER_FOOT };
  return horizontal || vertical ? { '500': { ...horizontal, ...vertical } } : {};
}

function sentCategories(): { tracks: Category; service: Category } {
  sent ??= { tracks: categoryOf(cat062), service: categoryOf(cat065) };
  return sent;
}
