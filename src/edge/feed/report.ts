import type { Rejection } from '../../model/detection.ts';
import type { Observation } from '../../model/observation.ts';
import type { SensorStatuses } from './sensor_statuses.ts';
import type { FeedSettings } from './settings.ts';

/** Receives observations: an accepted one with null, a refused one with the reason. */
export type FeedSink = (observation: Observation, rejectedBy: Rejection | null) => void;

export type ReportDeps = {
  settings: FeedSettings;
  sensors: SensorStatuses;
  sink: FeedSink;
};

/**
 * Returns the reason if an observation is too old or too far in the future to update a track; null if its time is
 * valid.
 */
export function judgeTime(observation: Observation, settings: FeedSettings): Rejection | null {
  const ageS = (observation.receivedMs - observation.timeMs) / 1000;
  if (ageS > settings.maxAgeS) return 'too_old';
  if (ageS < -settings.aheadS) return 'ahead_of_time';
  return null;
}

/** Checks an observation's time, and passes it to the sink. Returns the reason of a refusal, else null. */
export function report(observation: Observation, deps: ReportDeps): Rejection | null {
  deps.sensors.complete(observation);
  const rejectedBy = judgeTime(observation, deps.settings);
  if (rejectedBy) deps.sensors.rejected(observation.sensorId, rejectedBy);
  deps.sensors.observed(observation);
  deps.sink(observation, rejectedBy);
  return rejectedBy;
}
