import type { SensorValue } from './settings.ts';
import type { TrackRecord } from './track_record.ts';

/** Notes in a track's record that a sensor saw or heard it; where the sensor is not known, `speaks` says which of both. */
export function creditTo(
  record: TrackRecord,
  sensor: SensorValue | undefined,
  receivedMs: number,
  rssiDbm = Number.NaN,
  speaks = true,
): void {
  const rssi = Number.isNaN(rssiDbm) ? null : rssiDbm;
  record.hear(sensor?.id ?? '', sensor?.cooperative ?? speaks, receivedMs, rssi);
}
