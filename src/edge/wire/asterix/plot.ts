import { METRES_PER_FOOT } from '../../../model/units.ts';
import { addressOf, headOf, METRES_PER_NM, numberOf, partsOf, scaled, textOf } from './fields.ts';
import type { RadarPlot } from './message.ts';
import type { Decoded, DecodedRecord } from './read_item.ts';
import type { Verdict } from './verdict.ts';

/** Value of TYP in item 020 for a report without detection: the radar only extrapolates its track. */
const NO_DETECTION = 0;

/**
 * Converts a record of CAT 048 (EUROCONTROL-SPEC-0149-4). Item 042, the position in steps of 14 m, is ignored because
 * item 040 is finer. A detection without item 040 counts as `unknown_type`.
 */
export function readPlot(record: DecodedRecord): Verdict<RadarPlot> {
  const head = headOf(record, '140');
  if (head === null) return 'malformed';
  const { TYP, SIM, TST, RAB } = partsOf(record['020']);
  // RAB marks a fixed transponder that monitors the radar.
  if (SIM === 1 || TST === 1 || RAB === 1) return 'not_allowed';
  const isGuess = TYP === NO_DETECTION;
  if (record['040'] === undefined && !isGuess) return 'unknown_type';
  const { RHO, THETA } = partsOf(record['040']);
  const { CNF, TRE } = partsOf(record['170']);
  const isTrack = record['170'] !== undefined;
  const { GSP, HDG } = partsOf(record['200']);
  const { TRN } = partsOf(record['161']);
  return {
    kind: 'radar_plot',
    ...head,
    typ: numberOf(TYP),
    isGuess,
    rangeM: scaled(RHO, METRES_PER_NM),
    azimuthDeg: numberOf(THETA),
    altMslM: scaled(partsOf(record['110'])['3DH'], METRES_PER_FOOT),
    track: numberOf(TRN),
    isConfirmed: isTrack ? CNF === 0 : null,
    isLast: TRE === 1,
    // The velocity belongs to the radar's track; without a track it does not apply to this target.
    speedMps: isTrack ? scaled(GSP, METRES_PER_NM) : null,
    courseDeg: isTrack ? numberOf(HDG) : null,
    dopplerMps: dopplerOf(record['120']),
    icao24: addressOf(record['220']),
    callsign: textOf(record['240']),
    rssiDbm: numberOf(partsOf(record['130']).PAM),
    codes: (record['030'] as readonly number[] | undefined) ?? [],
  };
}

/** Returns the radial speed, m/s; null unless the radar marks it as valid. */
function dopplerOf(item: Decoded | undefined): number | null {
  const { D, CAL } = partsOf(partsOf(item).CAL);
  return D === 0 ? numberOf(CAL) : null;
}
