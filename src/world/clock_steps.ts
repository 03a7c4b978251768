import type { Clock } from '../host/clock.ts';

/** Sentences about steps of the wall clock and of UTC since the last call. */
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
