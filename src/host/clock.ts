import { existsSync } from 'node:fs';
import type { ClockTrust } from '../model/clock_trust.ts';

type ClockSources = {
  /** Monotonic milliseconds from any origin. */
  mono: () => number;
  /** UTC milliseconds as the system has it; may step. */
  wall: () => number;
  /** Discipline of the wall clock now, or null where none is known. The composition root may ask a GPS feed here. */
  discipline: () => 'ntp' | 'gps' | null;
};

/** Result of `check`: `stepMs` is the jump of the wall clock since the last call, null without one. */
type ClockCheck = { stepMs: number | null; trust: ClockTrust };

export type Clock = ReturnType<typeof createClock>;

/**
 * Below this, wall and monotonic clock are taken to agree: the daemons of NTP correct so little by slewing, which moves
 * both clocks alike, and a smaller dead band would turn scheduling noise into steps.
 */
const STEP_MS = 500;

/** No box that runs this was ever at an earlier date: its clock has no battery, or was never set. */
const EARLIEST_BELIEVED_MS = Date.UTC(2024, 0, 1);

/**
 * systemd-timesyncd touches this file when it has set the clock (systemd-timesyncd.service(8)). Under another NTP daemon
 * it is absent and the trust stays `rtc`: adjtimex(2), which would tell, is out of reach without native code.
 */
const TIMESYNC_FLAG = '/run/systemd/timesync/synchronized';

const systemSources: ClockSources = {
  mono: () => performance.now(),
  wall: () => Date.now(),
  discipline: () => (existsSync(TIMESYNC_FLAG) ? 'ntp' : null),
};

/**
 * The world clock. World time is UTC as the box believed it at start plus monotonic time since; it never steps, so ages
 * and deadlines hold whatever happens to the wall clock. `utcMs` turns a world time into UTC as it is believed today.
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
    /** World milliseconds, now. */
    nowMs,
    /** Today's best UTC of a world time, in milliseconds. */
    utcMs: (worldMs: number): number => worldMs + offsetMs,
    trust: () => trust,
    /** Wall-clock steps noticed since the start. */
    steps: () => steps,
    /** Call each second: notices a step and moves the offset of `utcMs` by it; each step is returned once. */
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
