import type { Test } from 'tap';
import type { Zone } from '../../src/model/zone.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { Drones } from './drones.ts';
import { StreamClient } from './stream_client.ts';
import { must } from './told_alerts.ts';

/** A works with a mast that listens, where drones fly. */
export const site = { lat: 47.1987, lon: 8.7302 };
export const serial = '1581F5FKD2294E000001';
export const point = (place: { lat: number; lon: number }, radius_m: number) => ({
  type: 'Point',
  coordinates: [place.lon, place.lat],
  radius_m,
});

export async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  return { daemon, stream: await StreamClient.open(t, daemon), drones: new Drones(t, daemon) };
}

export const zoned = (daemon: Daemon, body: object): Promise<Zone> =>
  must<Zone>(daemon, '/api/zones', { name: 'works', kind: 'protected', ...body });
