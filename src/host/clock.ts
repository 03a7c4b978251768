import { existsSync } from 'node:fs';
import type { ClockTrust } from '../model/clock_trust.ts';
import { EARLIEST_BELIEVED_MS, type GpsState, noGps, seconds } from './gps/gps_time.ts';

type ClockSources = {
  /** Monotonic time from any origin, ms. */
  mono: () => number;
  /** UTC of the system, ms; it may step. */
  wall: () => number;
  /** Present discipline of the wall clock; null where it is unknown. */
  discipline: () => 'ntp' | 'gps' | null;
  /** Judgement of the satellite receivers at a world time. */
  gps: (nowMs: number) => GpsState;
};

type ClockCheck = {
  /** Jump of the wall clock since the last call; null without one. */
  stepMs: number | null;
  /** Change of UTC because GPS time began or ceased to be used; null without one. */
  gpsStepMs: number | null;
  trust: ClockTrust;
};

/** Time of the box as it is believed, with the reason. */
export type ClockState = {
  trust: ClockTrust;
  /** Sentence on the source of the time. */
  text: string;
  /** Why the time may be wrong; null where nothing speaks against it. */
  fault: string | null;
  /** Whether UTC follows the satellites, because the system clock differs from them. */
  usesGps: boolean;
  /** System clock minus GPS time, ms; null without GPS time. */
  systemMinusGpsMs: number | null;
  /** Age of the last good report of a receiver, ms; null without one. */
  gpsAgeMs: number | null;
  /** The last step of the system clock, and its age; null without one since the start. */
  lastStep: { ms: number; agoMs: number } | null;
};

export type Clock = ReturnType<typeof createClock>;

/**
 * Below this difference, wall clock and monotonic clock count as equal. NTP daemons correct such differences by
 * slewing, which changes both clocks alike. A smaller limit would take scheduling delays for steps.
 */
const STEP_MS = 500;

/**
 * The system clock is used while it agrees with GPS time to this much: GPS time over a line without PPS is late by up to
 * 1 s itself. Once GPS time is used, the system clock must come closer.
 */
const AGREES_MS = 2_000;
const AGREES_AGAIN_MS = 1_000;
/** Age of GPS time after which a system clock that was set meanwhile is preferred. */
const GPS_OLD_MS = 60_000;

/**
 * systemd-timesyncd touches this file when it has set the clock (systemd-timesyncd.service(8)). Other NTP daemons do
 * not create it, and the trust then stays `rtc`: adjtimex(2), which has the state, cannot be called without native
 * code.
 */
const TIMESYNC_FLAG = '/run/systemd/timesync/synchronized';

/** Whether a time server set the system clock, as far as systemd-timesyncd says it. */
export function isKeptByNtp(): boolean {
  return existsSync(TIMESYNC_FLAG);
}

const systemSources: ClockSources = {
  mono: () => performance.now(),
  wall: () => Date.now(),
  discipline: () => (isKeptByNtp() ? 'ntp' : null),
  gps: () => noGps,
};

const trustTexts: Record<ClockTrust, string> = {
  none: 'it was never set, and shows a date before this program was made',
  rtc: 'set by the box alone; no time server confirms it',
  ntp: 'set by a time server',
  gps: 'set by satellites',
};

/**
 * The world clock. World time is UTC as the box believed it at start, plus monotonic time since. It never steps, so
 * ages and deadlines stay right whatever happens to the wall clock. `utcMs` converts a world time to the present
 * estimate of UTC: that of the system clock, or of the satellites where no time server keeps the system clock and it
 * differs from them.
 */
export function createClock(sources: Partial<ClockSources> = {}) {
  const { mono, wall, discipline, gps } = { ...systemSources, ...sources };
  const anchorMono = mono();
  const anchorWall = wall();
  /** Offset from world time to the system clock, and to the UTC that is believed. */
  let wallOffsetMs = 0;
  let offsetMs = 0;
  let usesGps = false;
  let isSetSinceGps = false;
  let steps = 0;
  let lastStep: { ms: number; atMs: number } | null = null;
  let trust = judge(gps(nowMs()));

  function nowMs(): number {
    return anchorWall + (mono() - anchorMono);
  }

  function judge({ isTrusted }: GpsState): ClockTrust {
    const isSet = wall() >= EARLIEST_BELIEVED_MS;
    const kept = isSet ? discipline() : null;
    if (kept !== null) return kept;
    if (isTrusted) return 'gps';
    return isSet ? 'rtc' : 'none';
  }

  function followWall(): number | null {
    const driftMs = wall() - nowMs() - wallOffsetMs;
    if (Math.abs(driftMs) <= STEP_MS) return null;
    wallOffsetMs += driftMs;
    steps++;
    lastStep = { ms: driftMs, atMs: nowMs() };
    return driftMs;
  }

  /** Whether UTC follows the satellites. Held GPS time goes on until the system clock is set by other means. */
  function isGpsUsed({ offsetMs: gpsOffsetMs, isTrusted, ageMs }: GpsState, isStepped: boolean): boolean {
    if (gpsOffsetMs === null || trust === 'ntp') return false;
    if (isTrusted && (ageMs ?? 0) <= GPS_OLD_MS) isSetSinceGps = false;
    else if (isStepped && !isTrusted) isSetSinceGps = true;
    if (isSetSinceGps) return false;
    return Math.abs(wall() - nowMs() - gpsOffsetMs) > (usesGps ? AGREES_AGAIN_MS : AGREES_MS);
  }

  return {
    /** Present world time, ms. */
    nowMs,
    /** Present estimate of the UTC of a world time, ms. */
    utcMs: (worldMs: number): number => worldMs + offsetMs,
    /** Present UTC, ms: that of the system clock with its steps at once, or of the satellites while they are used. */
    believedMs: (): number => (usesGps ? nowMs() + offsetMs : wall()),
    trust: () => trust,
    /** Number of steps of the wall clock since the start. */
    steps: () => steps,
    /** Call it each second: it detects a step and corrects the offset of `utcMs` by it. Each step is returned once. */
    check(): ClockCheck {
      const state = gps(nowMs());
      trust = judge(state);
      const stepMs = followWall();
      const usedGps = usesGps;
      usesGps = isGpsUsed(state, stepMs !== null);
      const wantedMs = usesGps && state.offsetMs !== null ? state.offsetMs : wallOffsetMs;
      const changeMs = wantedMs - offsetMs;
      if (Math.abs(changeMs) <= STEP_MS) return { stepMs, gpsStepMs: null, trust };
      offsetMs = wantedMs;
      return { stepMs, gpsStepMs: usedGps || usesGps ? changeMs : null, trust };
    },
    /** Time of the box as it was believed at the last `check`. */
    state(): ClockState {
      const now = nowMs();
      const state = gps(now);
      const systemMinusGpsMs = state.offsetMs === null ? null : wall() - now - state.offsetMs;
      return {
        ...{ trust, usesGps, systemMinusGpsMs, gpsAgeMs: state.ageMs },
        text: textOf(trust, usesGps, systemMinusGpsMs, state),
        fault: state.fault ?? conflictOf(trust, systemMinusGpsMs, state),
        lastStep: lastStep && { ms: lastStep.ms, agoMs: now - lastStep.atMs },
      };
    },
  };
}

function textOf(trust: ClockTrust, usesGps: boolean, systemMinusGpsMs: number | null, gps: GpsState): string {
  const note = gps.note === null ? '' : `; ${gps.note}`;
  if (usesGps && systemMinusGpsMs !== null) {
    const side = systemMinusGpsMs < 0 ? 'behind' : 'ahead of';
    const from = trust === 'gps' ? `set by satellites (${gps.receivers.join(', ')})` : 'held from earlier GPS time';
    return `${from}; the system clock is ${seconds(Math.abs(systemMinusGpsMs))} ${side} it${note}`;
  }
  if (trust === 'gps' && gps.receivers.length > 0)
    return `set by the box and confirmed by satellites (${gps.receivers.join(', ')})${note}`;
  return `${trustTexts[trust]}${note}`;
}

/** A time server and the satellites that differ: one of them is wrong, and the box cannot know which. */
function conflictOf(trust: ClockTrust, systemMinusGpsMs: number | null, { isTrusted, receivers }: GpsState) {
  if (trust !== 'ntp' || !isTrusted || systemMinusGpsMs === null || Math.abs(systemMinusGpsMs) <= AGREES_MS)
    return null;
  const by = seconds(Math.abs(systemMinusGpsMs));
  return `the time server and the GPS time of ${receivers.join(' and ')} differ by ${by}: the time server is used`;
}
