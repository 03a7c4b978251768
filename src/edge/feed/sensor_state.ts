import { modalityTraits, type SensorState } from '../../model/sensor.ts';
import type { SelfReport, SensorIdentity } from './sensor_row.ts';

/** Condition of a link that its sensors depend on. */
export type LinkCondition = {
  /** Reason why the link can carry no messages; null while it is open or opening. */
  trouble: { state: 'fault' | 'off'; reason: string } | null;
  /** True if the link was open at least once since it was enabled. */
  wasOpen: boolean;
  /** World time at which the link was enabled, ms; deadlines of sensors without a sign of life depend on it. */
  enabledMs: number;
  /** True while messages could arrive: the device is open, or a TCP connection exists. */
  hasCarrier: boolean;
  /** World time at which bytes last arrived that could not be decoded, ms; null if none did. */
  noiseMs: number | null;
  /** World time at which a source last found the link's table of sources full, ms; null if none did. */
  fullMs: number | null;
  /** Fault or limit of the radio behind a link that still works; null without one. */
  radio: string | null;
  isSerial: boolean;
};

/**
 * Times of a sensor, world ms: its declaration (`bornMs`), and its last message or status line (`lifeMs`, null for
 * none).
 */
export type Life = {
  bornMs: number;
  lifeMs: number | null;
  /**
   * World time of the last change of settings, ms, if the sensor was then late and silent or at fault; else null. It
   * keeps a late sensor late under a new, longer deadline.
   */
  wasLateMs: number | null;
  /** World time at which the sensor's program last reported that it is offline, ms; null if it never did. */
  offlineMs: number | null;
};

type Judged = { state: SensorState; reasons: string[] };

/** Time for which a table of sources counts as full after it last had no room, ms. */
const FULL_FOR_MS = 60_000;

export const isFull = ({ fullMs }: LinkCondition, nowMs: number): boolean =>
  fullMs !== null && nowMs - fullMs < FULL_FOR_MS;

const HEIGHT_UNKNOWN =
  "the sensor's height is not declared, so elevations and missed detections are ignored: set placement.alt_hae_m";
const QUIET = 'nothing is received; this is no fault while the connection is open, because quiet_ok is set';
const FULL =
  'this link has too many unproven sources, which displace each other: list the real sources in sources_allow';
const OFFLINE = "the sensor's own program reports that the sensor is offline";
const NOT_REPORTED = 'no message has reported this payload yet';

/**
 * Returns the state of a sensor. Only a decoded message or a known status line is a sign of life. The deadline is the
 * `heartbeatS` of the row. A payload that no protocol ever reported is not expected, so its silence is `unknown`.
 */
export function stateOf(row: SensorIdentity, life: Life, link: LinkCondition | null, nowMs: number): Judged {
  const { lifeMs } = life;
  if (row.fit === 'off') return { state: 'off', reasons: ['the payload behind this sensor is off'] };
  if (row.fit === 'failed') return { state: 'fault', reasons: ['the payload behind this sensor has failed'] };
  const trouble = link?.trouble ?? null;
  if (trouble?.state === 'off') return { state: 'off', reasons: [trouble.reason] };
  if (trouble === null && isOffline(life)) return { state: 'silent', reasons: [OFFLINE] };
  const late = isLate(row, life, link, nowMs);
  if (trouble) return { state: link?.wasOpen || late ? 'fault' : 'unknown', reasons: [trouble.reason] };
  if (!late) return lifeMs === null && !isQuiet(row, link) ? notYet(row) : well(row);
  if (link && isNoise(row, link, nowMs)) return { state: 'fault', reasons: [noiseReason(link)] };
  if (isQuiet(row, link)) return { state: 'operational', reasons: [QUIET] };
  if (row.declaredBy === 'payload' && lifeMs === null) return { state: 'unknown', reasons: [NOT_REPORTED] };
  const silence = lifeMs === null ? 'nothing has been received from the sensor' : 'no sign of life';
  const since = isKnownLate(life, link) ? 'since an earlier deadline passed' : `for over ${row.heartbeatS} s`;
  return { state: 'silent', reasons: [`${silence} ${since}`] };
}

/**
 * True if a sensor's deadline has passed, or if it missed an earlier deadline and was not received since. Also true if
 * the sensor's program reports it as offline.
 */
export function isLate(row: SensorIdentity, life: Life, link: LinkCondition | null, nowMs: number): boolean {
  return isOffline(life) || isKnownLate(life, link) || nowMs > deadlineMs(row, life, link);
}

/** Returns `Life.wasLateMs` for a change of settings at `nowMs`. Call this before the change takes effect. */
export function lateAtSetting(
  row: SensorIdentity,
  life: Life,
  link: LinkCondition | null,
  nowMs: number,
): number | null {
  const { state } = stateOf(row, life, link, nowMs);
  return (state === 'silent' || state === 'fault') && isLate(row, life, link, nowMs) ? nowMs : null;
}

/** True from the time at which the sensor's program reports that it is offline, until its next sign of life. */
function isOffline({ lifeMs, offlineMs }: Life): boolean {
  return offlineMs !== null && (lifeMs === null || lifeMs <= offlineMs);
}

/**
 * True while a deadline that was missed before a change of settings still counts. It counts until a sign of life
 * arrives or the link is enabled again.
 */
function isKnownLate({ lifeMs, wasLateMs }: Life, link: LinkCondition | null): boolean {
  if (wasLateMs === null) return false;
  return (lifeMs === null || lifeMs < wasLateMs) && (link === null || link.enabledMs < wasLateMs);
}

/**
 * Returns the world time at which a sensor becomes late, ms. The deadline counts from its last sign of life. Without
 * one it counts from the declaration, or from the enabling of the link if that was later.
 */
export function deadlineMs(
  { heartbeatS }: SensorIdentity,
  { bornMs, lifeMs }: Pick<Life, 'bornMs' | 'lifeMs'>,
  link: LinkCondition | null,
): number {
  return (lifeMs ?? Math.max(bornMs, link?.enabledMs ?? bornMs)) + heartbeatS * 1_000;
}

/**
 * Returns the state of a link's own row. It is `degraded` if the radio is impaired or the table of sources is
 * full, unless the state is already worse.
 */
export function withLinkFaults(judged: Judged, link: LinkCondition, nowMs: number): Judged {
  if (judged.state !== 'operational' && judged.state !== 'unknown') return judged;
  const reasons = [...(link.radio === null ? [] : [link.radio]), ...(isFull(link, nowMs) ? [FULL] : [])];
  return reasons.length > 0 ? { state: 'degraded', reasons } : judged;
}

/**
 * Applies the state that a sensor reports about itself. `fault` and `degraded` count only for an operational sensor,
 * because the report of a silent one is old. `off` counts unless the sensor is at fault: silence after signing off is
 * no fault.
 */
export function withOwnTrouble(judged: Judged, trouble: SelfReport['trouble']): Judged {
  if (trouble === null || (judged.state !== 'operational' && (trouble.state !== 'off' || judged.state === 'fault')))
    return judged;
  return { state: trouble.state, reasons: [trouble.reason, ...(trouble.more ?? [])] };
}

function notYet({ declaredBy }: SensorIdentity): Judged {
  const reason = declaredBy === 'payload' ? NOT_REPORTED : 'nothing has been received from the sensor yet';
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
  return `bytes arrive that cannot be decoded: is the ${isSerial ? 'baud rate' : 'protocol'} right?`;
}

function isHeightUnknown({ modality, placement }: SensorIdentity): boolean {
  return modalityTraits[modality].scans && placement !== null && placement.alt_hae_m === undefined;
}
