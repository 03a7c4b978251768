import { existsSync } from 'node:fs';
import type { ClockTrust } from '../model/clock_trust.ts';

type ClockSources = {
  /** Monotonic time from any origin, ms. */
  mono: () => number;
  /** UTC of the system, ms; it may step. */
  wall: () => number;
  /** Present discipline of the wall clock; null where it is unknown. The composition root may use a GPS feed here. */
  discipline: () => 'ntp' | 'gps' | null;
};

/** Result of `check`: `stepMs` is the jump of the wall clock since the last call, null without one. */
type ClockCheck = { stepMs: number | null; trust: ClockTrust };

export type Clock = ReturnType<typeof createClock>;

/**
 * Below this difference, wall clock and monotonic clock count as equal. NTP daemons correct such differences by
 * slewing, which changes both clocks alike. A smaller limit would take scheduling delays for steps.
 */
const STEP_MS = 500;

/** No box with this program ever ran at an earlier date: its clock has no battery, or was never set. */
const EARLIEST_BELIEVED_MS = Date.UTC(2024, 0, 1);

/**
 * systemd-timesyncd touches this file when it has set the clock (systemd-timesyncd.service(8)). Other NTP daemons do
 * not create it, and the trust then stays `rtc`: adjtimex(2), which has the state, cannot be called without native
 * code.
 */
const TIMESYNC_FLAG = '/run/systemd/timesync/synchronized';

const systemSources: ClockSources = {
  mono: () => performance.now(),
  wall: () => Date.now(),
  discipline: () => (existsSync(TIMESYNC_FLAG) ? 'ntp' : null),
};

/**
 * The world clock. World time is UTC as the box believed it at start, plus monotonic time since. It never steps, so
 * ages and deadlines stay right whatever happens to the wall clock. `utcMs` converts a world time to the present
 * estimate of UTC.
 */
export function createClock(sources: Partial<ClockSources> = {}) {
  const { mono, wall, discipline } = { ...systemSources, ...sources };
  const anchorMono = mono();
  const anchorWall = wall();
  let offsetMs = 0;
  let steps = 0;
  let trust = judge();

  function nowMs(): number {
    return anchorWall + (mono() - anchorMono);
  }

  function judge(): ClockTrust {
    return wall() < EARLIEST_BELIEVED_MS ? 'none' : (discipline() ?? 'rtc');
  }

  return {
    /** Present world time, ms. */
    nowMs,
    /** Present estimate of the UTC of a world time, ms. */
    utcMs: (worldMs: number): number => worldMs + offsetMs,
    trust: () => trust,
    /** Number of steps of the wall clock since the start. */
    steps: () => steps,
    /** Call it each second: it detects a step and corrects the offset of `utcMs` by it. Each step is returned once. */
    check(): ClockCheck {
      trust = judge();
      const driftMs = wall() - nowMs() - offsetMs;
      if (Math.abs(driftMs) <= STEP_MS) return { stepMs: null, trust };
      offsetMs += driftMs;
      steps++;
      return { stepMs: driftMs, trust };
    },
  };
}
