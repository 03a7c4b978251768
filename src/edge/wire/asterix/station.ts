import { METRES_PER_FOOT } from '../../../model/units.ts';
import { emitterOf, sigmaOfNacp } from '../adsb_terms.ts';
import {
  addressOf,
  headOf,
  METRES_PER_FLIGHT_LEVEL,
  METRES_PER_NM,
  numberOf,
  partsOf,
  scaled,
  textOf,
} from './fields.ts';
import type { StationReport } from './message.ts';
import type { Decoded, DecodedRecord } from './read_item.ts';
import type { Verdict } from './verdict.ts';

const MPS_PER_FPM = METRES_PER_FOOT / 60;
/** Value of ATP in item 021/040 for a 24-bit ICAO address; other values mean other kinds of addresses. */
const ICAO_ADDRESS = 0;
/** Emitter category of DO-260B, as other ADS-B formats write it, by the code in item 021/020. */
const categoryOf: Readonly<Record<number, string>> = {
  1: 'A1',
  2: 'A2',
  3: 'A3',
  4: 'A4',
  5: 'A5',
  6: 'A6',
  10: 'A7',
  11: 'B1',
  12: 'B2',
  13: 'B6',
  14: 'B7',
  15: 'B4',
  16: 'B3',
  20: 'C1',
  21: 'C2',
  22: 'C3',
};

/**
 * Converts a record of CAT 021 (EUROCONTROL-SPEC-0149-12), an ADS-B report. The position comes from item 131; without
 * it, from the coarser item 130. The time is the time of reception (item 073); without it, the time of applicability
 * (071) or of transmission (077).
 */
export function readStation(record: DecodedRecord): Verdict<StationReport> {
  const head = headOf(record, '073');
  const icao24 = addressOf(record['080']);
  if (head === null || icao24 === null) return 'malformed';
  const target = partsOf(record['040']);
  // RAB marks a fixed transponder that monitors the station.
  if (target.SIM === 1 || target.TST === 1 || target.RAB === 1) return 'not_allowed';
  const { LAT, LON } = partsOf(record['131'] ?? record['130']);
  const { GS, TA } = partsOf(record['160']);
  const { NACP } = partsOf(record['090']);
  const category = categoryOf[numberOf(record['020']) ?? 0] ?? null;
  return {
    ...head,
    kind: 'station_report',
    timeOfDayS: head.timeOfDayS ?? numberOf(record['071']) ?? numberOf(record['077']),
    icao24,
    nonIcao: typeof target.ATP === 'number' && target.ATP !== ICAO_ADDRESS,
    callsign: textOf(record['170']),
    latDeg: numberOf(LAT),
    lonDeg: numberOf(LON),
    altPressureM: scaled(record['145'], METRES_PER_FLIGHT_LEVEL),
    altHaeM: scaled(record['140'], METRES_PER_FOOT),
    speedMps: scaled(GS, METRES_PER_NM),
    courseDeg: numberOf(TA),
    climbMps: climbOf(record['157']) ?? climbOf(record['155']),
    sigmaHM: sigmaOfNacp(numberOf(NACP)),
    ...{ category, emitter: emitterOf(category) },
    emergency: emergencyOf(partsOf(record['200']).PS),
    onGround: typeof target.GBS === 'number' ? target.GBS === 1 : null,
  };
}

/** Returns the climb rate, m/s; null if it is absent, or if RE marks it as beyond the range of the transponder. */
function climbOf(item: Decoded | undefined): number | null {
  const { RE, GVR, BVR } = partsOf(item);
  return RE === 0 ? scaled(GVR ?? BVR, MPS_PER_FPM) : null;
}

/**
 * True if the field PS of item 200 reports an emergency; null without the field. Its values: 0 none; 1 general, 2
 * medical, 3 fuel, 4 no radio, 5 unlawful interference, 6 downed.
 */
function emergencyOf(status: unknown): boolean | null {
  return typeof status === 'number' ? status > 0 && status < 7 : null;
}
