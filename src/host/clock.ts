import { existsSync } from 'node:fs';
import type { ClockTrust } from '../model/clock_trust.ts';
import { EARLIEST_BELIEVED_MS, type GpsState, noGps, seconds } from './gps/gps_time.ts';

type ClockSources = {
  /** Monotonic time from any origin, ms. */
  mono: () => number;
  /** UTC of the system clock, ms since 1970. The system clock may step. */
  wall: () => number;
  /** Source that now disciplines the system clock; null if unknown. */
  discipline: () => 'ntp' | 'gps' | null;
  /** Returns the state of GPS time at a world time. */
  gps: (nowMs: number) => GpsState;
};

type ClockCheck = {
  /** Step of the system clock since the last call, ms; null without a step. */
  stepMs: number | null;
  /**
   * Change of `utcMs` because the use of GPS time began or ended, or its offset changed, ms; null if no change exceeds
   * `STEP_MS`.
   */
  gpsStepMs: number | null;
  trust: ClockTrust;
};

/** State of the box's clock: source and trust of its time, possible faults, and the difference from GPS time. */
export type ClockState = {
  trust: ClockTrust;
  /** Sentence about the source of the time, for operators. */
  text: string;
  /** Sentence with the reason why the time may be wrong; null without such a reason. */
  fault: string | null;
  /** True if UTC is taken from GPS time in place of the system clock. */
  usesGps: boolean;
  /** System clock minus GPS time, ms; null without GPS time. */
  systemMinusGpsMs: number | null;
  /** Age of the last report that agrees with its receiver's believed offset, ms; null without a believed receiver. */
  gpsAgeMs: number | null;
  /** Last step of the system clock since the start, with its size and age in ms; null without a step. */
  lastStep: { ms: number; agoMs: number } | null;
};

export type Clock = ReturnType<typeof createClock>;

/**
 * Minimum change of the system clock against the monotonic clock that counts as a step, ms. NTP daemons correct smaller
 * differences by slewing, which changes both clocks alike. A smaller limit would take scheduling delays for steps.
 */
const STEP_MS = 500;

/**
 * Difference between system clock and GPS time up to which the system clock is used, ms. GPS time from a serial line
 * without PPS is itself up to 1 s late. After GPS time was used, the system clock is used again only within
 * `AGREES_AGAIN_MS` of GPS time.
 */
const AGREES_MS = 2_000;
const AGREES_AGAIN_MS = 1_000;
/**
 * Greatest age of trusted GPS time, ms, at which it is used again after the system clock was set (`isSetSinceGps`).
 */
const GPS_OLD_MS = 60_000;

/**
 * File that systemd-timesyncd touches when it has set the clock (systemd-timesyncd.service(8)). Other NTP daemons do
 * not create the file, so with them the trust stays `rtc`. Only adjtimex(2) shows their state, and it needs native
 * code.
 */
const TIMESYNC_FLAG = '/run/systemd/timesync/synchronized';

/** Returns true if systemd-timesyncd has set the system clock from a time server. */
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
  none: 'the system clock was never set: it shows a date before 2024',
  rtc: 'set by the box alone; no time server confirms it',
  ntp: 'set by a time server',
  gps: 'set by satellites',
};

/**
 * Creates the world clock. World time is the UTC of the system clock at the start plus the monotonic time since. World
 * time never steps, so a step of the system clock does not falsify ages and deadlines. `utcMs` converts a world time to
 * the current estimate of UTC. The estimate comes from the system clock, or from GPS time (see `isGpsUsed`).
 */
export function createClock(sources: Partial<ClockSources> = {}) {
  const { mono, wall, discipline, gps } = { ...systemSources, ...sources };
  const anchorMono = mono();
  const anchorWall = wall();
  /** Offset from world time to the system clock (`wallOffsetMs`) and to the estimate of UTC (`offsetMs`), ms. */
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

  /**
   * Returns true if UTC must be taken from GPS time: the system clock differs from GPS time, and no time server keeps
   * the system clock. While the receivers are silent, GPS time is extrapolated. After an hour of silence GPS time is
   * no longer trusted. A step then shows that somebody has set the system clock, which is used until the receivers are
   * trusted again.
   */
  function isGpsUsed({ offsetMs: gpsOffsetMs, isTrusted, ageMs }: GpsState, isStepped: boolean): boolean {
    if (gpsOffsetMs === null || trust === 'ntp') return false;
    if (isTrusted && (ageMs ?? 0) <= GPS_OLD_MS) isSetSinceGps = false;
    else if (isStepped && !isTrusted) isSetSinceGps = true;
    if (isSetSinceGps) return false;
    return Math.abs(wall() - nowMs() - gpsOffsetMs) > (usesGps ? AGREES_AGAIN_MS : AGREES_MS);
  }

  return {
    /** Current world time, ms. */
    nowMs,
    /** Current estimate of the UTC of a world time, ms. */
    utcMs: (worldMs: number): number => worldMs + offsetMs,
    /** Current UTC, ms: GPS time while it is used, else the system clock, including a step not yet seen by `check`. */
    believedMs: (): number => (usesGps ? nowMs() + offsetMs : wall()),
    trust: () => trust,
    /** Number of steps of the system clock since the start. */
    steps: () => steps,
    /**
     * Detects a step of the system clock, and corrects `utcMs` by changes above `STEP_MS`. Call this each second. Each
     * step is returned once.
     */
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
    /** Returns the state of the clock, with the trust of the last `check`. */
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
    return `${from}; the system clock is ${seconds(Math.abs(systemMinusGpsMs))} ${side} GPS time${note}`;
  }
  if (trust === 'gps' && gps.receivers.length > 0)
    return `set by the box and confirmed by satellites (${gps.receivers.join(', ')})${note}`;
  return `${trustTexts[trust]}${note}`;
}

/**
 * Returns a sentence if time server and GPS time differ by more than `AGREES_MS`, else null. One of them is then wrong,
 * and the box cannot know which.
 */
function conflictOf(trust: ClockTrust, systemMinusGpsMs: number | null, { isTrusted, receivers }: GpsState) {
  if (trust !== 'ntp' || !isTrusted || systemMinusGpsMs === null || Math.abs(systemMinusGpsMs) <= AGREES_MS)
    return null;
  const by = seconds(Math.abs(systemMinusGpsMs));
  return `the time server and the GPS time of ${receivers.join(' and ')} differ by ${by}: the time server is used`;
}
