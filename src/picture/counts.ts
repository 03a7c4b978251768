import type { Alert } from '../model/alert.ts';
import type { Link } from '../model/link.ts';
import type { Sensor } from '../model/sensor.ts';
import type { Track } from '../model/track.ts';

/** Counts for the header of the console. */
export function countsOf(
  tracks: readonly Track[],
  sensors: readonly Sensor[],
  links: readonly Link[],
  alerts: readonly Alert[],
): Record<string, number> {
  const inState = (state: Track['state']): number => tracks.filter((track) => track.state === state).length;
  return {
    tracks: tracks.length,
    tentative: inState('tentative'),
    confirmed: inState('confirmed'),
    coasting: inState('coasting'),
    lost: inState('lost'),
    sensors: sensors.length,
    sensors_operational: sensors.filter((sensor) => sensor.state === 'operational').length,
    alerts: alerts.length,
    alerts_active: alerts.filter((alert) => alert.state === 'active').length,
    links: links.length,
    links_open: links.filter((link) => link.state === 'open').length,
  };
}
