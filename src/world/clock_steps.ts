import type { Clock } from '../host/clock.ts';

/** Returns a sentence for each step of the wall clock, or of UTC, since the last call. */
export function clockSteps(clock: Clock): string[] {
  const { stepMs, gpsStepMs } = clock.check();
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;
  return [
    ...(stepMs === null
      ? []
      : [`the wall clock was set by ${seconds(stepMs)}; the ages of tracks and sensors did not change`]),
    ...(gpsStepMs === null
      ? []
      : [`UTC was set by ${seconds(gpsStepMs)}: ${clock.state().text}; the ages of tracks and sensors did not change`]),
  ];
}
