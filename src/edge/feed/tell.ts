import type { Rejection } from '../../model/detection.ts';
import type { Observation } from '../../model/observation.ts';
import type { HeardBook } from './heard.ts';
import type { SensorBook } from './sensor_book.ts';
import type { FeedSettings } from './settings.ts';

/** Where observations go: every accepted one, and those refused for their time with the reason. */
export type FeedSink = (observation: Observation, rejectedBy: Rejection | null) => void;

export type TellRim = { settings: FeedSettings; sensors: SensorBook; heard: HeardBook; sink: FeedSink };

/** Why an observation's time keeps it from moving a track; null where it is timely. */
export function judgeTime(observation: Observation, settings: FeedSettings): Rejection | null {
  const ageS = (observation.receivedMs - observation.timeMs) / 1000;
  if (ageS > settings.maxAgeS) return 'too_old';
  if (ageS < -settings.aheadS) return 'ahead_of_time';
  return null;
}

/** Judges an observation's time, notes who was heard by which sensor, and hands it on. */
export function tell(observation: Observation, rim: TellRim): Rejection | null {
  rim.sensors.complete(observation);
  const rejectedBy = judgeTime(observation, rim.settings);
  if (rejectedBy) rim.sensors.rejected(observation.sensorId, rejectedBy);
  rim.sensors.observed(observation);
  for (const identity of observation.identities) {
    rim.heard.note(identity, observation.sensorId, observation.linkId, observation.receivedMs);
  }
  rim.sink(observation, rejectedBy);
  return rejectedBy;
}
