import type { SensorState } from '../../model/sensor.ts';
import type { SensorIdentity } from './sensor_row.ts';

/** How a sensor's link is, as far as its sensors depend on it. */
export type LinkCondition = {
  /** Why nothing can come over it; null while it is open or opening. */
  trouble: { state: 'fault' | 'off'; reason: string } | null;
  /** It was open at least once since it was enabled. */
  wasOpen: boolean;
  /** When it was enabled, world ms: deadlines count from there. */
  enabledMs: number;
  /** A device or TCP connection is there over which somebody could be received. */
  hasCarrier: boolean;
  /** When bytes last came of which nothing could be decoded, world ms. */
  noiseMs: number | null;
  /** When a source last found all places taken, world ms. */
  fullMs: number | null;
  isSerial: boolean;
};

/** When a sensor was declared, and when its last message or status line came, world ms. */
export type Life = { bornMs: number; lifeMs: number | null };

type Judged = { state: SensorState; reasons: string[] };

/** A full table of sources counts as full for so long after the last source that found no place. */
const FULL_FOR_MS = 60_000;

export const isFull = ({ fullMs }: LinkCondition, nowMs: number): boolean =>
  fullMs !== null && nowMs - fullMs < FULL_FOR_MS;

const HEIGHT_UNKNOWN =
  'its height above the ellipsoid (placement.alt_hae_m) is not declared: elevations and its reach are not used';
const QUIET = 'nothing is received: its connection is there, and quiet_ok is set';
const FULL = 'all places for unproven sources of this link are taken: they displace each other; set sources_allow';
const NOT_REPORTED = 'no protocol has reported this payload';

/**
 * The state of a sensor. Only a decoded message or a known status line is a sign of life; the deadline is the sensor's
 * own. A payload that nothing ever reported is not expected to be received.
 */
export function stateOf(
  row: SensorIdentity,
  { bornMs, lifeMs }: Life,
  link: LinkCondition | null,
  nowMs: number,
): Judged {
  if (row.fit === 'off') return { state: 'off', reasons: ['its payload is off'] };
  if (row.fit === 'failed') return { state: 'fault', reasons: ['its payload has failed'] };
  const trouble = link?.trouble ?? null;
  if (trouble?.state === 'off') return { state: 'off', reasons: [trouble.reason] };
  const sinceMs = lifeMs ?? Math.max(bornMs, link?.enabledMs ?? bornMs);
  const isLate = nowMs - sinceMs > row.heartbeatS * 1_000;
  if (trouble) return { state: link?.wasOpen || isLate ? 'fault' : 'unknown', reasons: [trouble.reason] };
  if (!isLate) return lifeMs === null && !isQuiet(row, link) ? notYet(row) : well(row);
  if (link && isNoise(row, link, nowMs)) return { state: 'fault', reasons: [noiseReason(link)] };
  if (isQuiet(row, link)) return { state: 'operational', reasons: [QUIET] };
  if (row.declaredBy === 'payload' && lifeMs === null) return { state: 'unknown', reasons: [NOT_REPORTED] };
  const silence = lifeMs === null ? 'nothing has been received from it' : 'no sign of life';
  return { state: 'silent', reasons: [`${silence} for over ${row.heartbeatS} s`] };
}

/** The row of a link whose table of sources is full shows it, unless it is worse. */
export function withFullTable(judged: Judged, link: LinkCondition, nowMs: number): Judged {
  if (judged.state !== 'operational' && judged.state !== 'unknown') return judged;
  return isFull(link, nowMs) ? { state: 'degraded', reasons: [FULL] } : judged;
}

function notYet({ declaredBy }: SensorIdentity): Judged {
  const reason = declaredBy === 'payload' ? NOT_REPORTED : 'nothing has been received from it yet';
  return { state: 'unknown', reasons: [reason] };
}

function well(row: SensorIdentity): Judged {
  return { state: 'operational', reasons: isHeightUnknown(row) ? [HEIGHT_UNKNOWN] : [] };
}

function isQuiet({ quietOk }: SensorIdentity, link: LinkCondition | null): boolean {
  return quietOk === true && link !== null && link.hasCarrier;
}

function isNoise({ heartbeatS }: SensorIdentity, { noiseMs }: LinkCondition, nowMs: number): boolean {
  return noiseMs !== null && nowMs - noiseMs <= heartbeatS * 1_000;
}

function noiseReason({ isSerial }: LinkCondition): string {
  return `bytes without meaning: is the ${isSerial ? 'baud rate' : 'protocol'} right?`;
}

function isHeightUnknown({ modality, placement }: SensorIdentity): boolean {
  const looks = modality === 'radar' || modality === 'lidar' || modality === 'camera';
  return looks && placement !== null && placement.alt_hae_m === undefined;
}
