import { METRES_PER_FOOT } from '../../../model/units.ts';
import { addressOf, headOf, METRES_PER_FLIGHT_LEVEL, numberOf, partsOf, scaled, textOf } from './fields.ts';
import type { SystemTrack } from './message.ts';
import type { DecodedRecord } from './read_item.ts';
import type { Verdict } from './verdict.ts';

const MPS_PER_FPM = METRES_PER_FOOT / 60;
/** Age of a track's newest report above which its position counts as a prediction, s. */
const MOST_AGE_S = 2;
/** Subfields of item 290 with ages of reports. TRK is left out: it is the age of the track itself. */
const reportAges = ['PSR', 'SSR', 'MDS', 'ADS', 'ES', 'VDL', 'UAT', 'LOP', 'MLT'] as const;

/**
 * Converts a record of CAT 062 (EUROCONTROL-SPEC-0149-9). A record without latitude and longitude (item 105) is
 * refused, unless it ends its track. A position in the system's own plane (item 100) does not suffice, because the
 * message does not state the origin of that plane.
 */
export function readSystemTrack(record: DecodedRecord): Verdict<SystemTrack> {
  const head = headOf(record, '070');
  const track = numberOf(record['040']);
  if (head === null || track === null) return 'malformed';
  const status = partsOf(record['080']);
  const newest = partsOf(partsOf(record['340']).TYP);
  if (status.SIM === 1 || newest.SIM === 1 || newest.TST === 1 || newest.RAB === 1) return 'not_allowed';
  const { LAT, LON } = partsOf(record['105']);
  const isLast = status.TSE === 1;
  if (record['105'] === undefined && !isLast) return 'unknown_type';
  const { VX, VY } = partsOf(record['185']);
  const { ADR, ID } = partsOf(record['380']);
  const { APC, AGA } = partsOf(record['500']);
  const { X, Y } = partsOf(APC);
  return {
    kind: 'system_track',
    ...head,
    track,
    latDeg: numberOf(LAT),
    lonDeg: numberOf(LON),
    eastMps: numberOf(VX),
    northMps: numberOf(VY),
    climbMps: scaled(record['220'], MPS_PER_FPM),
    altHaeM: scaled(record['130'], METRES_PER_FOOT),
    altPressureM: scaled(record['136'], METRES_PER_FLIGHT_LEVEL),
    sigmaXM: numberOf(X),
    sigmaYM: numberOf(Y),
    sigmaVM: scaled(AGA, METRES_PER_FOOT),
    isConfirmed: status.CNF !== 1,
    isLast,
    isCoasting: status.CST === 1 || youngestAgeS(record) > MOST_AGE_S,
    icao24: addressOf(ADR),
    callsign: textOf(ID) ?? textOf(partsOf(record['245']).CHR),
  };
}

/** Returns the age of the newest report, s; 0 if the record has no ages. */
function youngestAgeS(record: DecodedRecord): number {
  const ages = partsOf(record['290']);
  const known = reportAges.flatMap((name) => numberOf(ages[name]) ?? []);
  return known.length === 0 ? 0 : Math.min(...known);
}
