import { headOf, numberOf, partsOf } from './fields.ts';
import type { ServiceReport } from './message.ts';
import type { DecodedRecord } from './read_item.ts';
import type { Verdict } from './verdict.ts';

const NORTH = 1;
const SECTOR = 2;
const eventOf: Readonly<Record<number, ServiceReport['event']>> = { [NORTH]: 'north', [SECTOR]: 'sector' };

/**
 * Converts a record of CAT 034 (EUROCONTROL-SPEC-0149-2b): north and sector crossings, condition and position of a
 * radar.
 */
export function readRadarService(record: DecodedRecord): Verdict<ServiceReport> {
  const head = headOf(record, '030');
  if (head === null) return 'malformed';
  const { LAT, LON, HGT } = partsOf(record['120']);
  const isPlaced = typeof LAT === 'number' && typeof LON === 'number' && typeof HGT === 'number';
  return {
    kind: 'service',
    category: 34,
    ...head,
    event: eventOf[numberOf(record['000']) ?? 0] ?? 'other',
    about: null,
    turnS: numberOf(record['041']),
    ...troubleOf(partsOf(partsOf(record['050']).COM).NOGO, 'fault', 'the radar reports that its data must not be used'),
    site: isPlaced ? { latDeg: LAT, lonDeg: LON, altMslM: HGT } : null,
  };
}

/** Converts a record of CAT 023 (EUROCONTROL-SPEC-0149-16): condition of an ADS-B ground station. */
export function readStationService(record: DecodedRecord): Verdict<ServiceReport> {
  const reason = 'the ground station reports that its data must not be used';
  return report(record, 23, '070', troubleOf(partsOf(record['100']).NOGO, 'degraded', reason));
}

/**
 * Converts a record of CAT 065 (EUROCONTROL-SPEC-0149-15): condition of a tracker. NOGO: 0 works, 1 degraded, 2 not
 * connected, 3 unknown.
 */
export function readTrackerService(record: DecodedRecord): Verdict<ServiceReport> {
  return report(record, 65, '030', troubleOf(partsOf(record['040']).NOGO, 'degraded', 'the tracker reports a fault'));
}

/**
 * Converts a record of CAT 063 (EUROCONTROL-SPEC-0149-10): condition of the radars behind a tracker. CON is 0 if a
 * radar works.
 */
export function readSensorService(record: DecodedRecord): Verdict<ServiceReport> {
  const { SAC, SIC } = partsOf(record['050']);
  const about = `${SAC}/${SIC}`;
  const reason = `the radar ${about} behind the tracker is degraded or not connected`;
  return report(record, 63, '030', troubleOf(partsOf(record['060']).CON, 'degraded', reason), about);
}

function report(
  record: DecodedRecord,
  category: number,
  time: string,
  trouble: Pick<ServiceReport, 'trouble'>,
  about: string | null = null,
): Verdict<ServiceReport> {
  const head = headOf(record, time);
  if (head === null) return 'malformed';
  return { kind: 'service', category, ...head, event: 'other', about, turnS: null, ...trouble, site: null };
}

/** Returns the fault for a flag above zero and null for zero; an empty object if the record lacks the flag. */
function troubleOf(flag: unknown, state: 'fault' | 'degraded', reason: string): Pick<ServiceReport, 'trouble'> {
  if (typeof flag !== 'number') return {};
  return { trouble: flag > 0 ? { state, reason } : null };
}
